// The kinds of edits in the data of a page.
export const EDIT = { equal: 0, substituted: 1, missing: 2, extra: 3, equalButBreaks: 4 };
