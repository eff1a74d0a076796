const FNV64_OFFSET = 0xcbf29ce484222325n;
const FNV64_PRIME = 0x100000001b3n;
const MASK64 = 0xffffffffffffffffn;

/** FNV-1a, 64 bit, of a text's UTF-16 code units. For definitions; too slow for state. */
export function fingerprint64(text: string): bigint {
  let hash = FNV64_OFFSET;
  for (let i = 0; i < text.length; i++) {
    hash = ((hash ^ BigInt(text.charCodeAt(i))) * FNV64_PRIME) & MASK64;
  }
  return hash;
}

/** FNV-1a, 32 bit, of bytes: the digest of a command. */
export function fnv32(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

/**
 * 64-bit hash of 32-bit words: two lanes mixed as in MurmurHash3's 32-bit rounds with different
 * constants. Not cryptographic: it finds divergence, it doesn't authenticate.
 */
export function hashWords(words: Uint32Array): bigint {
  let a = 0x9747b28c;
  let b = 0x3c6ef372;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    const ka = Math.imul(word, 0xcc9e2d51);
    a ^= Math.imul((ka << 15) | (ka >>> 17), 0x1b873593);
    a = Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64;
    const kb = Math.imul(word, 0x85ebca6b);
    b ^= Math.imul((kb << 16) | (kb >>> 16), 0xc2b2ae35);
    b = Math.imul((b << 11) | (b >>> 21), 5) + 0x52dce729;
  }
  return (BigInt(finalMix(a ^ words.length)) << 32n) | BigInt(finalMix(b ^ words.length));
}

function finalMix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
