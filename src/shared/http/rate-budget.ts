// What all minters of one database may let through in a minute, kept where all of them see it. Asked once for a slice, not once a request.

export type RateSlice = {
  /** Requests this process may let through now; 0 when the minute's budget is used up. */
  readonly granted: number;
  /** Handed out to all processes in this minute, this slice included. */
  readonly taken: number;
  /** Number of the minute, by the one clock of the database. */
  readonly minute: number;
  readonly msLeft: number;
};

export interface RateBudget {
  /** Takes up to `slice` of the `limit` requests that `who` may make in the current minute. */
  lease(who: string, slice: number, limit: number): Promise<RateSlice>;
  /** Forgets minutes long past. */
  sweep(): Promise<void>;
}
