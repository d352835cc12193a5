import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import { visible } from '../ui/text/visible.ts'

export type TunnelTone = 'valid' | 'missing' | 'invalid' | 'unsigned' | 'info'

interface StateLabel {
  /** Lower case, for use within a sentence. */
  readonly word: string
  /** The color of the icon and the word. */
  readonly tone: TunnelTone
}

export const tunnelStateLabels = {
  off: { word: 'off', tone: 'unsigned' },
  opening: { word: 'opening', tone: 'info' },
  online: { word: 'online', tone: 'valid' },
  degraded: { word: 'degraded', tone: 'missing' },
  offline: { word: 'offline', tone: 'invalid' },
  reconnecting: { word: 'reconnecting', tone: 'missing' },
} as const satisfies Record<TunnelStateName, StateLabel>

/** The label while the page is not connected to Tabscope. */
export const unknownState = { word: 'unknown', tone: 'unsigned' } as const satisfies StateLabel

export const notConnected = 'Not connected to Tabscope, so the tunnel state is unknown.'

/** `Online` */
export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** The host of a public URL: `pier9.loca.lt`. */
export function hostOf(url: string): string {
  return visible(URL.parse(url)?.host || url)
}

/** The webhook URL to paste on the service's dashboard. `origin` has no trailing slash. */
export function publicUrl(origin: string, slug: string): string {
  return `${origin}/hooks/${slug}`
}

/** The button in the bar; null if no action is needed. */
export function barAction({ state }: Pick<TunnelView, 'state'>): 'open' | 'retry' | null {
  switch (state) {
    case 'off':
      return 'open'
    case 'offline':
      return 'retry'
    case 'opening':
    case 'online':
    case 'degraded':
    case 'reconnecting':
      return null
  }
}

/** The label of the button for `tunnel.check`, which connects or runs a self-probe; null while the tunnel is off. */
export function checkLabel({ state }: Pick<TunnelView, 'state'>): 'Retry' | 'Check now' | null {
  switch (state) {
    case 'off':
      return null
    case 'offline':
    case 'opening':
    case 'reconnecting':
      return 'Retry'
    case 'online':
    case 'degraded':
      return 'Check now'
  }
}
