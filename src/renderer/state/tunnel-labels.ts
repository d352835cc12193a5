import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import { visible } from '../ui/text/visible.ts'

export type TunnelTone = 'valid' | 'missing' | 'invalid' | 'unsigned' | 'info'

interface StateWords {
  /** As it stands in a sentence. */
  readonly word: string
  /** The colour family; icon and word go with it. */
  readonly tone: TunnelTone
}

export const tunnelStateLabels = {
  off: { word: 'off', tone: 'unsigned' },
  opening: { word: 'opening', tone: 'info' },
  online: { word: 'online', tone: 'valid' },
  degraded: { word: 'degraded', tone: 'missing' },
  offline: { word: 'offline', tone: 'invalid' },
  reconnecting: { word: 'reconnecting', tone: 'missing' },
} as const satisfies Record<TunnelStateName, StateWords>

/** While the page is not connected to Tabscope. */
export const unknownState = { word: 'unknown', tone: 'unsigned' } as const satisfies StateWords

export const notConnected = 'Not connected to Tabscope, so the tunnel state is unknown.'

/** `Online` */
export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** What of a public address one knows it by: `pier9.loca.lt`. */
export function hostOf(url: string): string {
  return visible(URL.parse(url)?.host || url)
}

/** The address to paste on the service's dashboard. `origin`: without a slash at its end. */
export function publicUrl(origin: string, slug: string): string {
  return `${origin}/hooks/${slug}`
}

/** The button that stands in the bar. Null: there is nothing to do but wait, or to use it. */
export function barAction({ state }: Pick<TunnelView, 'state'>): 'open' | 'try' | null {
  switch (state) {
    case 'off':
      return 'open'
    case 'offline':
      return 'try'
    case 'opening':
    case 'online':
    case 'degraded':
    case 'reconnecting':
      return null
  }
}

/** Whether `tunnel.check` does something now: it would be a try, or a self-probe. Null: there is nothing to be tried. */
export function checkWord({ state }: Pick<TunnelView, 'state'>): 'Try now' | 'Check now' | null {
  switch (state) {
    case 'off':
      return null
    case 'offline':
    case 'opening':
    case 'reconnecting':
      return 'Try now'
    case 'online':
    case 'degraded':
      return 'Check now'
  }
}
