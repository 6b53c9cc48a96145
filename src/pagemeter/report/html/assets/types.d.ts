// The data of a report, for the type checker only; docstrings in overview.py and pages.py describe them.

export interface Score {
  ins: number; dels: number; sub: number; cor: number; errors: number; nGt: number; rate: number; bound: number;
}

export interface Total {
  [field: string]: any;
  rate: number | null; lower_bound: number; n_gt: number; optimal: boolean; canonical: boolean;
}

export interface Story { measure: string | null; rate: string; interval: string; sentences: string[]; }

export type Share = [key: string, name: string, number: string, share: number, remark: string];
export type PlainTable = [title: string, headings: string[], rows: string[][]];
export type RankedRow = [name: string, rank: number, rate: number | null, low: number | null, high: number | null, groups: string];
export interface Curve { name: string; x: string; y: string; points: [number, number][]; }
export interface Section { id: string; title: string; notes: string[]; tables: PlainTable[]; curves: Curve[]; }
export type Confusion = [gt: string, hyp: string, count: number, names: string, examples: [page: number, line: number][]];
export interface Faults { total: number; top: Confusion[]; }

export interface Overview {
  version: string; date: string; signature: string; reproduce: string; gt: string; hyps: string[]; lines: number;
  systems: string[]; notes: string[]; failed: [string, string][]; types: string[];
  story: Story | null; stories: Story[]; worst: number[];
  ranking: { measure: string; rows: RankedRow[] } | null;
  tables: PlainTable[]; sections: Section[];
  measures: { id: string; meaning: string; default: boolean }[];
  columns: [field: string, heading: string, meaning: string, kind: string][];
  totals: Record<string, Total>[];
  budgets: { measure: string; rate: number; note: string; shares: Share[] }[][];
  intervals: Record<string, string>[]; confidence: string;
  pages: { name: string[]; lines: number[]; details: number[] };
  missed: (number | null)[][]; warnings: (number | null)[][];
  counts: Record<string, Record<string, (number | null)[]>>[];
  confusions: Record<string, { unmatched: [number, number]; [fault: string]: any }>[];
}

export type Points = number[];
export type GtLine = [text: string, id: string | null, points: Points, closed: number, up: number, down: number];
export type HypLine = [id: string | null, points: Points, closed: number, up: number, down: number];
export interface ImageLink { href: string | null; embedded: boolean; note: string | null; }

export interface Read {
  file: string | null; size: [number, number] | null; image: ImageLink | null; warnings: string[];
  lines: HypLine[]; types: Record<string, number[]>; words: Record<string, string[][]>; edits: (number | string)[][];
  measures: Record<string, { lines: [number, number, number, number[], number?][]; left: [number, number, number][] }>;
}

export interface Block {
  file: string; size: [number, number] | null; lines: GtLine[]; types: Record<string, number[]>;
  cells?: [line: number, row: number, column: number][]; n: Record<string, number[]>; systems: Record<number, Read>;
}

export type Edit = [kind: number, gt: string, hyp?: string];
export interface Part { line: number; from: number; to: number; of: number; }
export interface Word { text: string; gap: string; line: number; at: number; of: number; }

export interface Row {
  gt: number | null; errors: number; n: number; edits: Edit[] | null; parts: Part[]; kinds: number;
  bag?: boolean; first?: number | null; last?: number | null; moved?: boolean; texts?: { line: number; text: string }[];
}

export interface HypSummary { rows: Row[]; words: number; wrong: number; rate: number; }
export interface Model { id: string; unit: string; rows: Row[]; words: Word[]; hyps: HypSummary[]; system: number; }

export interface Filter {
  text: string; side: "both" | "gt" | "hyp"; kind: string; type: string; gt: string; hyp: string; rate: number;
}

export interface Verdict { page: string; line: number | null; id: string | null; text: string | null; verdict: string; note: string; }
export interface Crop { x: number; y: number; width: number; height: number; degrees: number; originX: number; originY: number; }
