import type { Snapshot } from '#contract/calls.ts'
import { messageOf } from '#kit/use-action.ts'
import type { Client } from '#client/client.ts'
import { reloadAssistants, addAssistantCall } from '#client/state/assistants.ts'
import {
  useEndpointRules,
  useEndpoints,
  useSettings,
  useRelays,
  useHealth,
} from '#client/state/live-values.ts'
import { setRun, showAuthorization, useAuthorization } from '#client/state/authorization.ts'
import { followSaved } from '#pages/deliveries/filter/SavedFilters.tsx'
import { forgetJob, setJob, setJobs } from '#client/state/jobs.ts'
import { interruptedExports } from '#parts/event-logs/labels.ts'
import { setLogs, useLogs } from '#client/state/logs.ts'
import {
  forgetRehearsal,
  reloadRehearsals,
  setRehearsal,
  addResult,
} from '#client/state/rehearsals.ts'
import { useSandbox } from '#client/state/sandbox.ts'
import { setTunnel } from '#client/state/tunnel.ts'
import { setHold } from '#client/state/hold.ts'
import { showSnapshot, turnMinute, useShell } from '#client/state/app.ts'
import { toast } from '#kit/toasts.ts'

/** Stores snapshots and all pushes that are not about deliveries. Called once, by `main.tsx`. */
export function syncStores(client: Client): void {
  followConnection(client)
  client.on('listener.changed', (listener) => useShell.setState({ listener }))
  client.on('endpoints.changed', (endpoints) => useEndpoints.setState({ endpoints }))
  client.on('integrations.changed', (integrations) => useAuthorization.setState({ integrations }))
  client.on('authorization.changed', setRun)
  client.on('tokens.changed', (tokens) => useAuthorization.setState({ tokens }))
  client.on('forwards.changed', (forwards) => useEndpointRules.setState({ forwards }))
  client.on('forwards.health', (health) => useEndpointRules.setState({ health }))
  client.on('responses.changed', (responses) => useEndpointRules.setState({ responses, uses: [] }))
  client.on('responses.used', (uses) => useEndpointRules.setState({ uses }))
  client.on('secrets.changed', () => applySnapshot(client))
  client.on('settings.changed', (settings) => useSettings.setState({ settings }))
  client.on('sandbox.changed', (sandbox) => useSandbox.setState({ sandbox }))
  client.on('sandboxService.changed', (service) => useSandbox.setState({ service }))
  client.on('tunnel.changed', setTunnel)
  client.on('relay.changed', (relays) => useRelays.setState({ relays }))
  client.on('hold.changed', setHold)
  client.on('health.changed', (health) => useHealth.setState(health))
  client.on('jobs.changed', ({ job, removed }) => (removed ? forgetJob(job.id) : setJob(job)))
  client.on('rehearsals.changed', ({ rehearsal, removed }) =>
    removed ? forgetRehearsal(rehearsal.id) : setRehearsal(rehearsal),
  )
  client.on('rehearsals.result', ({ id, result }) => addResult(id, result))
  client.onReload(reloadRehearsals)
  client.on('assistants.called', addAssistantCall)
  client.onReload(reloadAssistants)
  client.on('logs.changed', setLogs)
  client.on('updates.changed', (updates) => useShell.setState({ updates }))
  followSaved(client)
  setInterval(turnMinute, 60_000)
}

const ignoredInterruption = 400

function followConnection(client: Client): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasStale = false
  client.onConnection((connection) => {
    if (connection.phase === 'lost') {
      timer ??= setTimeout(() => useShell.setState({ stale: true }), ignoredInterruption)
    } else {
      clearTimeout(timer)
      timer = undefined
    }
    wasStale = useShell.getState().stale
    useShell.setState({
      connection,
      ...(connection.phase === 'connected' && { stale: false }),
      ...(connection.phase === 'no_session' && { stale: true }),
    })
  })
  // Called right after `connected`. The data stays marked as stale until the snapshot is loaded.
  client.onReload(() => {
    useShell.setState({ stale: wasStale })
    applySnapshot(client)
  })
}

function reportInterruptedExports({ logs }: Snapshot): void {
  for (const { name } of interruptedExports(useLogs.getState(), logs)) {
    toast('invalid', `“${name}” was not exported because the engine stopped. Export it again.`)
  }
}

export function applySnapshot(client: Client): void {
  client.call('app.snapshot', {}).then(
    (snapshot) => {
      useEndpoints.setState({ endpoints: snapshot.endpoints })
      useSettings.setState({ settings: snapshot.settings })
      useEndpointRules.setState({
        forwards: snapshot.forwards,
        health: snapshot.forwardHealth,
        responses: snapshot.responses,
        uses: snapshot.ruleUses,
      })
      useSandbox.setState({ sandbox: snapshot.sandbox, service: snapshot.sandboxService })
      setTunnel(snapshot.tunnel)
      useRelays.setState({ relays: snapshot.relays })
      setJobs(snapshot.jobs, false)
      reportInterruptedExports(snapshot)
      setLogs(snapshot.logs)
      showAuthorization(snapshot)
      showSnapshot(snapshot)
      client.call('hold.state', {}).then(setHold, () => undefined)
      client.call('health.alerts', {}).then(
        (health) => useHealth.setState(health),
        () => undefined,
      )
    },
    (error: unknown) => useShell.setState({ failure: messageOf(error) }),
  )
}
