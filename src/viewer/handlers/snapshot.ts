import type { Snapshot } from '#contract/calls.ts'
import { noCapabilities } from '#contract/constants.ts'
import { defaultSettings, type Settings } from '#contract/models.ts'
import { defaultTunnelSetup } from '#contract/tunnel.ts'
import type { PageLog } from '../log/log.ts'

/** Builds the snapshot of a read-only Tabscope that contains only this log. */
export function snapshotOf(log: PageLog, theme: Settings['theme']): Snapshot {
  const newestId = log.rows.at(-1)?.id ?? 0
  return {
    version: log.head.app,
    capabilities: noCapabilities,
    listener: { state: 'stopped', port: defaultSettings.listenerPort },
    tunnel: {
      state: 'off',
      since: 0,
      cause: 'asked',
      reason: '',
      url: null,
      nextTryAt: null,
      failures: 0,
      setup: defaultTunnelSetup,
      using: null,
      temporary: false,
      probe: null,
      nextProbeAt: null,
      connections: null,
      warnings: [],
    },
    settings: { ...defaultSettings, theme },
    integrations: [],
    endpoints: [],
    sandbox: { running: false, rate: 0, sent: 0, failed: 0, lastError: null },
    sandboxService: {
      running: false,
      baseUrl: null,
      redirectUrls: [],
      users: [],
      tokenLifetime: 1,
      faults: [],
      tokens: 0,
    },
    tokens: [],
    runs: [],
    forwards: [],
    forwardHealth: [],
    responses: [],
    ruleUses: [],
    jobs: [],
    updates: { state: 'unavailable', reason: 'This page is a local file.' },
    relays: [],
    logs: { logs: [], exports: [], imports: [], choices: [] },
    secretsLocked: false,
    caFileProblem: null,
    damagedFiles: [],
    stats: {
      deliveries: log.rows.length,
      bytes: log.rows.reduce((sum, { bytes }) => sum + bytes, 0),
      newestId,
      indexedId: newestId,
    },
    perMinute: Array.from({ length: 60 }, () => 0),
  }
}
