import type { HarEntryMore } from '#contract/event-log-har.ts'

/** A name and a value. */
export interface HarPair {
  readonly name: string
  readonly value: string
}

/** HAR 1.2, as far as Tabscope writes it. Sizes in bytes, times in milliseconds; -1: not known, or there was none. */
export interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly httpVersion: string
    readonly cookies: readonly HarPair[]
    readonly headers: readonly HarPair[]
    readonly queryString: readonly HarPair[]
    readonly postData?: HarPostData
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly response: {
    readonly status: number
    readonly statusText: string
    readonly httpVersion: string
    readonly cookies: readonly HarPair[]
    readonly headers: readonly HarPair[]
    readonly content: HarContent
    readonly redirectURL: string
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly cache: Record<string, never>
  readonly timings: HarTimings
  readonly serverIPAddress?: string
  readonly comment?: string
  readonly _tabscope: HarEntryMore
}

export interface HarPostData {
  readonly mimeType: string
  readonly text: string
  readonly comment?: string
}

export interface HarContent {
  readonly size: number
  readonly mimeType: string
  readonly text?: string
  readonly encoding?: 'base64'
}

export interface HarTimings {
  readonly blocked: number
  readonly dns: number
  readonly connect: number
  readonly ssl: number
  readonly send: number
  readonly wait: number
  readonly receive: number
}
