/**
 * What a line of a report begins with that is a query to be searched for. Reports indent all text that
 * comes from a server, so that none of its lines begins with this.
 */
export const queryMark = '→ ';
