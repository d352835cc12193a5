import type { TunnelFailure } from '../provider.ts'

/** What a line of a program's output means. Most mean nothing. */
export type ProgramLine =
  /** Its public address, as it stands there: anything at all. */
  | { readonly what: 'address'; readonly text: string }
  /** How many of its connections to its server are open, of how many. */
  | { readonly what: 'connections'; readonly open: number; readonly most: number }
  /** Nothing will come of it. */
  | { readonly what: 'failed'; readonly failure: TunnelFailure }

/** Reads what one run of a program says. */
export interface ProgramReader {
  /** The line as somebody would tell it: without the time, and what else is there for machines. */
  words(text: string): string
  line(text: string): readonly ProgramLine[]
  /** What it ended of, where what it said is known; null: it is not. */
  failure(): TunnelFailure | null
}

/** A program that makes a tunnel, for as long as it runs. */
export interface TunnelProgram {
  /** Its name on the path, and in sentences. */
  readonly name: string
  /** Where it is to be had, as the end of a sentence. */
  readonly from: string
  /** What it is started with to lead to the port, on 127.0.0.1. */
  args(port: number, options: Readonly<Record<string, string>>): string[]
  /** Variables that would make another tunnel of it. */
  readonly withoutVariables: readonly string[]
  /** `quote`: what was said as it can stand in a sentence. */
  reader(quote: (text: string) => string): ProgramReader
}
