# fish completion for wilson: as data/completion/wilson does for bash, from the program's own table (`wilson list options`).

function __wilson_words # COMMAND OPTION: the words that may follow; OPTION empty: of the command
    wilson list options 2>/dev/null | awk -v c="$argv[1]:" -v o="$argv[2]" '
    /^[^ ]/ { here = $1 == c; if (here && o == "") { $1 = ""; print; exit } }
    here && $1 == o { $1 = ""; print; exit }' | string split -n ' '
end

function __wilson_commands
    wilson list options 2>/dev/null | string replace -rf '^([^ :]*):.*' '$1'
end

function __wilson_keys
    wilson list keys 2>/dev/null | string replace -r ' .*' ''
end

function __wilson
    set -l tokens (commandline -opc)
    set -l word (commandline -ct)
    if test (count $tokens) = 1
        __wilson_commands
        printf '%s\n' --help --version
        return
    end
    set -l command $tokens[2]
    set -l last $tokens[-1]
    set -l all
    if string match -q -- '--*' $last
        set all (__wilson_words $command $last)
    end
    if test -z "$all" -o "$all" = -
        if string match -q -- '-*' $word
            wilson list options 2>/dev/null | awk -v c="$command:" '/^[^ ]/ { here = $1 == c; next } here { print $1 }'
            return
        end
        set all (__wilson_words $command '')
    end
    for w in $all
        switch $w
            case @files
                __fish_complete_path $word
            case @keys
                if test "$last" = --set
                    __wilson_keys | string replace -r '$' '='
                else
                    __wilson_keys
                end
            case @schedulers
                wilson list schedulers 2>/dev/null | string replace -r ' .*' ''
            case @commands
                __wilson_commands
            case '\*'
            case '*'
                echo $w
        end
    end
end

complete -c wilson -f -a '(__wilson)'
