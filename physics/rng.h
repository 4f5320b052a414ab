/* physics/rng.h - random numbers by counter: Philox4x32-10 (Salmon, Moraes, Dror, Shaw
 * 2011, "Parallel random numbers: as easy as 1, 2, 3"), from Random123 on the CPU.  No
 * state is stored: key = seed, counter = (event, purpose and block, id).  A draw depends
 * on the electron and the event, never on order, thread, block or rank. */
#ifndef WN_PHYSICS_RNG_H
#define WN_PHYSICS_RNG_H
#include <stddef.h>
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/mathfn.h"
#ifndef __CUDACC__
/* Its types of SSE registers have no use here.  Their headers were four fifths of the text
 * that a compiler read for each file. */
#define R123_USE_SSE 0
#include <Random123/philox.h>
#else
/* cuRAND's default is __device__ alone. */
#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_philox4x32_x.h>
#endif

enum wn_rng_purpose {
  WN_RNG_EVENT = 0,   /* candidate collisions: block 0 is choice and next flight of two */
  WN_RNG_BIRTH = 1,   /* id of a child, and its first flight */
  WN_RNG_INITIAL = 2, /* state of a primary */
  WN_RNG_POPULATION = 3, /* roulette and splitting */
  WN_RNG_ION = 4,        /* velocity of an ion of a newborn or an attached electron */
  /* candidate collisions of ions: block 0 is choice, next flight, direction */
  WN_RNG_ION_EVENT = 5,
  WN_RNG_EMISSION = 6,           /* secondary electrons: secondary_emission_ions.c */
  WN_RNG_SOURCE = 7,             /* particles of sources: physics/emission.h */
  WN_RNG_THERMOSTAT = 8,         /* src/sim/thermostat.c */
  WN_RNG_COULOMB = 9,            /* pairs in a cell: src/sim/coulomb_collisions.c */
  WN_RNG_REACTION = 10,          /* reactions by rates: src/sim/reactions.c */
  WN_RNG_ELECTRON_EMISSION = 11, /* by electrons: src/sim/secondary_emission.h */
  WN_RNG_PHOTON = 12,            /* that ionize: physics/photoionization.h */
  WN_RNG_MERGING = 13,           /* groups of a cell: src/sim/merging.c */
  WN_RNG_TEST_ELECTRON = 14,     /* copies of electrons: src/sim/test_electrons.c */
  WN_RNG_PHOTON_FLIGHT = 20,     /* interactions of photons: physics/photons/flight.h */
  WN_RNG_BREMSSTRAHLUNG = 21, /* photons of electrons: physics/photons/bremsstrahlung.h */
  WN_RNG_ANNIHILATION = 22,   /* of positrons: physics/photons/annihilation.h */
  WN_RNG_DETECTOR = 23,       /* rows of the table of crossings: src/diag/detectors.c */
  WN_RNG_POSITRON = 24,       /* flights of positrons: physics/photons/positron.h */
  WN_RNG_ROULETTE = 25,       /* of photons: physics/photons/roulette.h */
  WN_RNG_PAIR = 26            /* roulette of pairs: physics/photon_pairs.h */
};
/* Blocks of purpose ION_EVENT beside block 0. */
enum {
  WN_RNG_BLOCK_ATOM = 1, /* velocity of the atom */
  WN_RNG_BLOCK_FIRST = 2 /* flight to the first candidate */
};
/* Blocks of purpose EVENT beside block 0. */
enum {
  WN_RNG_BLOCK_REAL = 1,   /* a collision: target, last bits of the choice, both angles */
  WN_RNG_BLOCK_IONIZE = 2, /* directions of both electrons */
  WN_RNG_BLOCK_LOSS = 3,   /* azimuth after a flight with a continuous loss */
  WN_RNG_BLOCK_SHARE = 16, /* energy sharing: rejection goes on with 17, 18, ... */
  /* spin factor of the screened-Coulomb angle: rejection goes on with the next */
  WN_RNG_BLOCK_ANGLE = 4096
};

struct wn_rng4 {
  uint32_t w[4];
};

/* A seed with the keys of the ten rounds.  Where the seed is the same in a whole kernel,
 * they are read as constants instead of computed by 18 additions. */
struct wn_rng_key {
  uint64_t seed;
  uint32_t round[10][2];
};

static WN_HD struct wn_rng_key wn_rng_key(uint64_t seed)
{
  struct wn_rng_key k;
  k.seed = seed;
  for (uint32_t i = 0; i < 10; i++) {
    k.round[i][0] = (uint32_t)seed + i * 0x9e3779b9u; /* the steps of the paper */
    k.round[i][1] = (uint32_t)(seed >> 32) + i * 0xbb67ae85u;
  }
  return k;
}

#ifdef __CUDACC__
/* In one instruction: ptxas makes two of a multiplication in C (CUDA 13.0). */
static WN_HD uint64_t wn_product(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
  uint64_t p;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(p) : "r"(a), "r"(b));
  return p;
#else
  return (uint64_t)a * b;
#endif
}
#endif

static WN_HD struct wn_rng4 wn_rng_with(const struct wn_rng_key *key, uint64_t id,
                                        uint32_t event, uint32_t purpose, uint32_t block)
{
  struct wn_rng4 r;
#ifndef __CUDACC__
  const uint64_t seed = key->seed;
  philox4x32_ctr_t c = {
      {event, purpose << 24 | block, (uint32_t)id, (uint32_t)(id >> 32)}};
  philox4x32_key_t k = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
  c = philox4x32_R(10, c, k);
  r.w[0] = c.v[0], r.w[1] = c.v[1], r.w[2] = c.v[2], r.w[3] = c.v[3];
#else
  uint4 c = make_uint4(event, purpose << 24 | block, (uint32_t)id, (uint32_t)(id >> 32));
  /* the rounds of curand_Philox4x32_10 with its multipliers, but each product by
   * wn_product; t/physics/t0400-gpu-philox.c compares them with the known answers and
   * with Random123 */
#pragma unroll
  for (int round = 0; round < 10; round++) {
    uint64_t p = wn_product(PHILOX_M4x32_0, c.x), q = wn_product(PHILOX_M4x32_1, c.z);
    c = make_uint4((uint32_t)(q >> 32) ^ c.y ^ key->round[round][0], (uint32_t)q,
                   (uint32_t)(p >> 32) ^ c.w ^ key->round[round][1], (uint32_t)p);
  }
  r.w[0] = c.x, r.w[1] = c.y, r.w[2] = c.z, r.w[3] = c.w;
#endif
  return r;
}

static WN_HD struct wn_rng4 wn_rng(uint64_t seed, uint64_t id, uint32_t event,
                                   uint32_t purpose, uint32_t block)
{
  const struct wn_rng_key key = wn_rng_key(seed);
  return wn_rng_with(&key, id, event, purpose, block);
}

/* [0, 1), multiples of 2^-32, exact. */
static WN_HD double wn_u01(uint32_t w)
{
  return w * 0x1p-32;
}

/* (0, 1): for logarithms; w = 2^32 - 1 gives 1 - 2^-33. */
static WN_HD double wn_u01_open(uint32_t w)
{
  return (w + 0.5) * 0x1p-32;
}

/* Exponential with mean 1. */
static WN_HD double wn_rng_exponential(uint32_t w)
{
  return -wn_ln(wn_u01_open(w));
}

/* Three standard normal numbers (Box and Muller).  The magnitude of each is below 6.8,
 * and |v| < 9.6: sqrt(2 ln 2^33) = 6.76 bounds the first two together, and the third is
 * independent of them: sqrt(2) 6.76 = 9.57. */
#define WN_RNG_NORMAL3_MAX 9.6
static WN_HD void wn_rng_normal3(struct wn_rng4 r, double v[3])
{
  double s, c, a = sqrt(2.0 * wn_rng_exponential(r.w[0])),
               b = sqrt(2.0 * wn_rng_exponential(r.w[2]));
  wn_sincos_turn(wn_u01(r.w[1]), &s, &c);
  v[0] = a * c;
  v[1] = a * s;
  wn_sincos_turn(wn_u01(r.w[3]), &s, &c);
  v[2] = b * c;
}

/* Id of a child: a function of parent, event and ordinal of the child in that event. */
static WN_HD uint64_t wn_rng_child_id(uint64_t seed, uint64_t parent, uint32_t event,
                                      uint32_t ordinal)
{
  struct wn_rng4 r = wn_rng(seed, parent, event, WN_RNG_BIRTH, ordinal);
  return (uint64_t)r.w[1] << 32 | r.w[0];
}

/* Id of primary i of case i_case (of the list `fields`; 0 where there is no list): that
 * of a child of "electron" i in an event number that no electron reaches, so that no
 * newborn has the same random numbers. */
static WN_HD uint64_t wn_rng_primary_id(uint64_t seed, size_t i, size_t i_case)
{
  return wn_rng_child_id(seed, (uint64_t)i, 0xffffffffu, (uint32_t)i_case);
}

#endif
