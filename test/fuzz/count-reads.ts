const READERS = ["getUint8", "getUint16", "getUint32", "getInt32", "getFloat64", "getBigUint64"] as const;

/**
 * Counts how often an action reads through a DataView, which is how messages are checked and read. A measure of work
 * that doesn't depend on how busy the machine is.
 */
export function countReads(action: () => void): number {
  let reads = 0;
  const originals = READERS.map((name) => [name, DataView.prototype[name]] as const);
  for (const [name, original] of originals) {
    const counted = function (this: DataView, ...args: Parameters<typeof original>) {
      reads++;
      return Reflect.apply(original, this, args);
    };
    Object.defineProperty(DataView.prototype, name, { value: counted, configurable: true, writable: true });
  }
  try {
    action();
  } finally {
    for (const [name, value] of originals) {
      Object.defineProperty(DataView.prototype, name, { value, configurable: true, writable: true });
    }
  }
  return reads;
}
