import type { TunnelOutput } from '#contract/cli-output/tunnel.ts'
import type { TunnelView, TunnelWarning } from '#contract/tunnel.ts'
import { printable } from '../printable.ts'

/** The state of the tunnel as `--json` prints it; `slug`: of the endpoint whose address is added, or null. */
export function tunnelOutput(view: TunnelView, slug: string | null): TunnelOutput {
  const { state, url, cause, reason, since, nextTryAt, failures, using, browser } = view
  return {
    event: 'tunnel',
    state,
    url,
    endpoint: endpointAt(url, slug),
    cause,
    reason,
    since: Math.floor(since),
    nextTryAt: nextTryAt === null ? null : Math.floor(nextTryAt),
    failures,
    provider: using?.provider ?? null,
    browser,
    warnings: view.warnings.map(warningOutput),
  }
}

function warningOutput(warning: TunnelWarning): TunnelOutput['warnings'][number] {
  const at = Math.floor(warning.at)
  switch (warning.kind) {
    case 'assigned': {
      const { kind, asked, got, by } = warning
      return { kind, asked, got, by, at }
    }
    case 'address_changed': {
      const { kind, old, now } = warning
      return { kind, old, now, at }
    }
  }
}

/** The same for people: the state, the address, the reason, and warnings. */
export function tunnelLines(view: TunnelView, slug: string | null): string[] {
  const { state, url, reason, warnings } = view
  const address = endpointAt(url, slug) ?? url
  return [
    `Tunnel ${state}${address === null ? '' : `: ${printable(address)}`} – ${printable(reason)}`,
    ...warnings.map((warning) => `  Warning: ${printable(warningText(warning, slug))}`),
  ]
}

function endpointAt(url: string | null, slug: string | null): string | null {
  return url === null || slug === null ? null : `${url}/hooks/${slug}`
}

function warningText(warning: TunnelWarning, slug: string | null): string {
  switch (warning.kind) {
    case 'assigned': {
      const by = warning.by === 'user' ? 'requested' : 'used the last time'
      return `${warning.got} was assigned, not ${warning.asked} as ${by}. Webhooks to the old address are not received.`
    }
    case 'address_changed':
      return `the dashboard still has the old address ${warning.old}. Replace it by ${endpointAt(warning.now, slug) ?? warning.now}.`
  }
}

/** Of an address where a browser gets another page first. */
export const interstitialWarning =
  '  Warning: a browser gets a page of the tunnel’s server first. Webhooks pass; the redirect of an authorization does not.'
