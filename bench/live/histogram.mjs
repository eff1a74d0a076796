// A fixed-size histogram of milliseconds (0.1 ms buckets up to 2 s), mergeable between threads. Pure: also bundled into workerd.
const PER_MS = 10;
const SIZE = 2000 * PER_MS;

export class Histogram {
  constructor(counts = new Uint32Array(SIZE + 1), max = 0) {
    this.counts = counts;
    this.max = max;
  }
  add(ms) {
    const v = Math.max(ms, 0);
    if (v > this.max) this.max = v;
    this.counts[Math.min(SIZE, Math.round(v * PER_MS))]++;
  }
  merge(other) {
    for (let i = 0; i <= SIZE; i++) this.counts[i] += other.counts[i];
    this.max = Math.max(this.max, other.max);
  }
  get count() {
    let n = 0;
    for (const c of this.counts) n += c;
    return n;
  }
  percentile(p) {
    const total = this.count;
    if (total === 0) return null;
    let seen = 0;
    for (let i = 0; i <= SIZE; i++) {
      seen += this.counts[i];
      if (seen >= (p / 100) * total) return i / PER_MS;
    }
  }
  summary() {
    return {
      p50: this.percentile(50),
      p90: this.percentile(90),
      p99: this.percentile(99),
      max: Math.round(this.max * 10) / 10,
      count: this.count,
    };
  }
}

/** How late a self-clocked loop is: by how much each interval exceeded its nominal period. */
export class IntervalLateness {
  constructor(periodMs) {
    this.period = periodMs;
    this.last = undefined;
    this.histogram = new Histogram();
  }
  tick(now) {
    if (this.last !== undefined) this.histogram.add(now - this.last - this.period);
    this.last = now;
  }
  reset() {
    this.histogram = new Histogram();
  }
}
