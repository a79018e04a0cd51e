import { between, type Buckets } from './stackedBars';

/** The bars that the user selects, by their places: from the first one chosen to the current one. */
export class BarChoice {
  private anchor: number | undefined;
  private at: number | undefined;

  /** The place of the current bar; undefined without a selection. */
  get current(): number | undefined {
    return this.at;
  }

  get buckets(): Buckets | undefined {
    return this.at === undefined ? undefined : between(this.anchor ?? this.at, this.at);
  }

  /** Selects a bar, or none. @param extend whether the first one stays. */
  choose(next: number | undefined, extend = false): void {
    this.anchor = extend ? (this.anchor ?? this.at ?? next) : next;
    this.at = next;
  }

  /** Selects this bar if there is no selection. The next one is the first. */
  suggest(place: number): void {
    this.at ??= place;
  }

  /** The places are others. @param moved the new place of an old one; undefined if there is none. */
  move(moved: (place: number) => number | undefined): void {
    const there = (place: number | undefined): number | undefined =>
      place === undefined ? undefined : moved(place);
    [this.anchor, this.at] = [there(this.anchor), there(this.at)];
  }

  /** The place that a key moves to, of this many; undefined if it moves to none. */
  goal(key: string, count: number): number | undefined {
    const last = count - 1;
    const at = this.at ?? last;
    const goals: ReadonlyMap<string, number> = new Map([
      ['ArrowLeft', at - 1],
      ['ArrowRight', at + 1],
      ['PageUp', at - 10],
      ['PageDown', at + 10],
      ['Home', 0],
      ['End', last],
    ]);
    const goal = goals.get(key);
    return goal === undefined ? undefined : Math.max(0, Math.min(goal, last));
  }
}
