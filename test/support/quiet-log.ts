/** A log that nobody reads. */
export const quietLog = { debug() {}, info() {}, warn() {}, error() {} };
