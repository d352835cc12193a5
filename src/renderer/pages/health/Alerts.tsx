import { useState } from 'react'
import { describeLearning } from '#contract/health-alerts.ts'
import type { Alert, HealthOverview, HealthRule } from '#contract/health.ts'
import { useClient, useQuery, useRefresh } from '#client/use-client.ts'
import { useEndpoints, useHealth } from '#client/state/live-values.ts'
import { Button } from '#kit/Button.tsx'
import { FormDialog } from '#kit/Dialog.tsx'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { CheckField, Field, SelectField } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { MenuItem, MoreMenu } from '#kit/Menu.tsx'
import { Page } from '#kit/Page.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { dayTime } from '#kit/text/time.ts'
import { fieldsOf, useForm } from '#kit/use-form.ts'
import { useNow } from '#kit/Time.tsx'
import { hourMs, snooze, useAlertText } from '#parts/alerts.tsx'
import './HealthPage.css'

const maxEnded = 5
/** Of the next day, in hours. */
const morning = 8

const range = 'month'

/** The alerts of the last month, and the thresholds of each endpoint. */
export function AlertsPage() {
  const query = useQuery('health.overview', { range, by: 'endpoint' })
  useRefresh(null, ['health.changed'], refreshMs, query.reload)
  const [settingsOf, setSettingsOf] = useState<number | null>(null)
  const firstEndpoint = useEndpoints(({ endpoints }) => endpoints[0]?.id)
  return (
    <Page
      lead="What is unusual for the weekday and the hour."
      help={<LearnMore page="health" />}
      actions={
        firstEndpoint !== undefined && (
          <Button onClick={() => setSettingsOf(firstEndpoint)}>Alert settings…</Button>
        )
      }
    >
      <WhenLoaded
        query={query}
        loading={
          <div
            className="plain-card h-(--measure-panel) coming"
            role="status"
            aria-label="Loading"
          />
        }
      >
        {({ alerts }) => <Alerts alerts={alerts} onSettings={setSettingsOf} />}
      </WhenLoaded>
      {settingsOf !== null && (
        <AlertSettings endpointId={settingsOf} onClose={() => setSettingsOf(null)} />
      )}
    </Page>
  )
}

const refreshMs = 1000

function Alerts({
  alerts,
  onSettings,
}: {
  alerts: HealthOverview['alerts']
  onSettings: (endpointId: number) => void
}) {
  const rules = useHealth((state) => state.rules)
  const describe = useAlertText()
  const now = useNow()
  const [all, setAll] = useState(false)
  const active = alerts.filter(({ endedAt }) => endedAt === null)
  const ended = alerts.filter(({ endedAt }) => endedAt !== null).toReversed()
  const shownEnded = all ? ended : ended.slice(0, maxEnded)
  if (alerts.length === 0) {
    return (
      <Empty icon={Icons.BellMinus} title="No alerts">
        <Learning />
      </Empty>
    )
  }
  return (
    <section className="grid gap-3" aria-label="Alerts">
      <ul className="framed [&_li+li]:border-t [&_li+li]:border-t-line-soft [&_li]:flex [&_li]:flex-wrap [&_li]:items-center [&_li]:gap-2 [&_li]:gap-x-4 [&_li]:py-3 [&_li]:pr-4 [&_li]:pl-5">
        {active.map((alert) => (
          <li key={alert.id} data-tone="invalid">
            <Icons.TriangleAlert aria-label="Active" className="text-tone" />
            <p className="min-h-0 min-w-0 flex-1">{describe(alert)}</p>
            <AlertActions
              alert={alert}
              snoozedUntil={
                rules.find(({ endpointId }) => endpointId === alert.endpointId)?.snoozedUntil ??
                null
              }
              onSettings={onSettings}
            />
          </li>
        ))}
        {shownEnded.map((alert) => (
          <li key={alert.id} className="text-mid">
            <Icons.Check aria-label="Ended" />
            <p className="min-h-0 min-w-0 flex-1">
              {describe(alert)}{' '}
              <span className="text-s text-dim">Ended {dayTime(alert.endedAt ?? now, now)}</span>
            </p>
          </li>
        ))}
      </ul>
      {ended.length > shownEnded.length && (
        <Button onClick={() => setAll(true)}>Show {ended.length - shownEnded.length} more</Button>
      )}
      <Learning />
    </section>
  )
}

interface ActionsProps {
  alert: Alert
  snoozedUntil: number | null
  onSettings: (endpointId: number) => void
}

function AlertActions({ alert: { endpointId }, snoozedUntil, onSettings }: ActionsProps) {
  const client = useClient()
  const now = useNow()
  if (snoozedUntil !== null && snoozedUntil > now) {
    return (
      <div className="flex items-center gap-4">
        <span className="text-s text-dim">Snoozed until {dayTime(snoozedUntil, now)}</span>
        <Button small onClick={() => snooze(client, endpointId, null)}>
          End snooze
        </Button>
      </div>
    )
  }
  const until = (ms: number) => () => snooze(client, endpointId, Date.now() + ms)
  const tomorrow = new Date(now)
  tomorrow.setDate(tomorrow.getDate() + 1)
  tomorrow.setHours(morning, 0, 0, 0)
  return (
    <div className="flex items-center gap-3">
      <Button small onClick={until(hourMs)}>
        Snooze 1 h
      </Button>
      <MoreMenu label="More for this alert">
        <MenuItem onSelect={until(8 * hourMs)}>Snooze 8 h</MenuItem>
        <MenuItem onSelect={() => snooze(client, endpointId, tomorrow.getTime())}>
          Snooze until tomorrow, 08:00
        </MenuItem>
        <MenuItem onSelect={() => onSettings(endpointId)}>Alert settings…</MenuItem>
      </MoreMenu>
    </div>
  )
}

/** Until an endpoint has enough hours to compare with. */
function Learning() {
  const learning = describeLearning(useHealth((state) => state.learned))
  return learning !== null && <p className="text-s text-dim">{learning}</p>
}

function AlertSettings({ endpointId, onClose }: { endpointId: number; onClose: () => void }) {
  const [shown, setShown] = useState(endpointId)
  const rule = useHealth(({ rules }) => rules.find((one) => one.endpointId === shown))
  if (!rule) return null
  return <RuleDialog key={shown} rule={rule} onSelect={setShown} onClose={onClose} />
}

interface RuleProps {
  rule: HealthRule
  onClose: () => void
  onSelect: (endpointId: number) => void
}

function RuleDialog({ rule, onSelect, onClose }: RuleProps) {
  const { endpointId } = rule
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const [draft, setDraft] = useState({
    silence: textOf(rule.silenceMinutes),
    failures: textOf(rule.failurePercent),
    delay: textOf(rule.delaySeconds),
    newCauses: rule.newCauses,
  })
  const errors = {
    silence: faultOf(draft.silence, 5, 1440),
    failures: faultOf(draft.failures, 1, 100),
    delay: faultOf(draft.delay, 1, 86_400),
  }
  const form = useForm(errors, async () => {
    await client.call('health.setRule', {
      endpointId,
      silenceMinutes: numberOf(draft.silence),
      failurePercent: numberOf(draft.failures),
      delaySeconds: numberOf(draft.delay),
      newCauses: draft.newCauses,
    })
    onClose()
  })
  const field = fieldsOf(draft, form.shown, (part) => setDraft({ ...draft, ...part }))
  return (
    <FormDialog
      title="Alert settings"
      description="What is usual for the weekday and hour raises a threshold, once it is known. An empty field switches its alert off."
      form={form}
      action="Save"
      onClose={onClose}
    >
      {endpoints.length > 1 && (
        <SelectField
          label="Endpoint"
          value={endpointId}
          onChange={({ target }) => onSelect(Number(target.value))}
        >
          {endpoints.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        label="Silence"
        inputMode="numeric"
        after="minutes without a delivery"
        {...field('silence')}
      />
      <Field
        label="Failures"
        inputMode="numeric"
        after="% of the deliveries of an hour"
        hint="With an invalid or missing signature, or not accepted by your handler."
        {...field('failures')}
      />
      <Field
        label="Delay"
        inputMode="numeric"
        after="seconds for half of the deliveries of an hour"
        {...field('delay')}
      />
      <CheckField
        label="New causes"
        note="When a signature fails for a reason that this endpoint never had."
        checked={draft.newCauses}
        onChange={(newCauses) => setDraft({ ...draft, newCauses })}
      />
    </FormDialog>
  )
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value)
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

function faultOf(text: string, least: number, most: number): string | null {
  const value = numberOf(text)
  if (value === null || (Number.isInteger(value) && value >= least && value <= most)) return null
  return `Enter a whole number from ${least} to ${most}, or nothing.`
}
