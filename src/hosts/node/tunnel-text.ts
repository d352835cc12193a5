import type { TunnelOutput } from '#contract/cli-output/tunnel.ts'
import type { TunnelView, TunnelWarning } from '#contract/tunnel.ts'
import { visible } from '#shared/text/visible.ts'

/** The state of the tunnel as `--json` prints it; `slug` is that of the endpoint whose URL is included, or null. */
export function tunnelOutput(view: TunnelView, slug: string | null): TunnelOutput {
  const { state, url, cause, reason, since, nextTryAt, failures, using } = view
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

/** The state of the tunnel as text: state, address, reason and warnings. */
export function tunnelLines(view: TunnelView, slug: string | null): string[] {
  const { state, url, reason, warnings } = view
  const address = endpointAt(url, slug) ?? url
  return [
    `Tunnel ${state}${address === null ? '' : `: ${visible(address)}`} – ${visible(reason)}`,
    ...warnings.map((warning) => `  Warning: ${visible(warningText(warning, slug))}`),
  ]
}

function endpointAt(url: string | null, slug: string | null): string | null {
  return url === null || slug === null ? null : `${url}/hooks/${slug}`
}

function warningText(warning: TunnelWarning, slug: string | null): string {
  switch (warning.kind) {
    case 'assigned': {
      const by = warning.by === 'user' ? 'requested' : 'used last time'
      return `${warning.got} was assigned, not ${warning.asked} as ${by}. Tabscope does not receive webhooks to the old address.`
    }
    case 'address_changed':
      return `the dashboard still has the old address ${warning.old}. Replace it with ${endpointAt(warning.now, slug) ?? warning.now}.`
  }
}
