import type { CliLine } from '#contract/cli-output.ts'
import type { TunnelView, TunnelWarning } from '#contract/tunnel.ts'
import { escapeControls } from '#shared/text/visible.ts'

/** `slug`: of the endpoint whose URL is included, or null. */
export function tunnelJson(view: TunnelView, slug: string | null): CliLine<'tunnel'> {
  return { ...view, endpoint: endpointAt(view.url, slug) }
}

export function tunnelLines(view: TunnelView, slug: string | null): string[] {
  const { state, url, reason, warnings } = view
  const address = endpointAt(url, slug) ?? url
  return [
    `Tunnel ${state}${address === null ? '' : `: ${escapeControls(address)}`} – ${escapeControls(reason)}`,
    ...warnings.map((warning) => `  Warning: ${escapeControls(warningText(warning, slug))}`),
  ]
}

function endpointAt(url: string | null, slug: string | null): string | null {
  return url === null || slug === null ? null : `${url}/hooks/${slug}`
}

export function warningText(warning: TunnelWarning, slug: string | null): string {
  switch (warning.kind) {
    case 'assigned': {
      const by = warning.by === 'user' ? 'requested' : 'used last time'
      return `${warning.assigned} was assigned, not ${warning.requested} as ${by}. Tabscope does not receive webhooks to the old address.`
    }
    case 'address_changed':
      return `the dashboard still has the old address ${warning.old}. Replace it with ${endpointAt(warning.now, slug) ?? warning.now}.`
  }
}
