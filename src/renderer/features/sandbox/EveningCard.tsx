import { MoonStar, Square } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Note } from '../../components/Note.tsx'
import { Card } from '../../components/Page.tsx'
import { count } from '../../components/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { anyNumber } from '../settings/checks.ts'
import { useSandbox } from './store.ts'
import { withSecret } from './with-secret.ts'

const slowest = 0.1
const fastest = 1000
const steps = 400

/** The slider is logarithmic: as much room from 0.1 to 1 as from 100 to 1000. */
function rateAt(step: number): number {
  const rate = slowest * (fastest / slowest) ** (step / steps)
  return Number(rate.toPrecision(2))
}

function stepAt(rate: number): number {
  return Math.round((Math.log(rate / slowest) / Math.log(fastest / slowest)) * steps)
}

export function EveningCard({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const rate = useSandbox((state) => state.rate)
  const through = useSandbox((state) => state.through)
  const sandbox = useSandbox((state) => state.sandbox)
  const [written, setWritten] = useState<string | null>(null)
  const start = useAction(async () => {
    const state = await withSecret(endpointId, () =>
      client.call('sandbox.evening', { endpointId, rate, through }),
    )
    useSandbox.setState({ sandbox: state })
  })
  const stop = useAction(async () => {
    useSandbox.setState({ sandbox: await client.call('sandbox.stop', {}) })
  })
  const refused = written === null ? null : anyNumber(written, slowest, fastest)
  const failure = start.error ?? stop.error

  function write(text: string): void {
    setWritten(text)
    if (anyNumber(text, slowest, fastest) === null) useSandbox.setState({ rate: Number(text) })
  }

  return (
    <Card
      title="An evening"
      note="Guests arrive, open tabs, order and leave, in an order that makes sense."
    >
      <div className="evening">
        <input
          type="range"
          className="evening-slider"
          aria-label="Rate"
          aria-valuetext={`${rate} deliveries a second`}
          min={0}
          max={steps}
          value={stepAt(rate)}
          data-scrolls
          onChange={(event) => {
            setWritten(null)
            useSandbox.setState({ rate: rateAt(Number(event.target.value)) })
          }}
        />
        <Field
          label="Deliveries a second"
          className="field-short"
          inputMode="decimal"
          value={written ?? String(rate)}
          error={refused}
          onChange={(event) => write(event.target.value)}
          onBlur={() => setWritten(null)}
        />
      </div>
      <div className="evening-line">
        {sandbox.running ? (
          <Button icon={<Square aria-hidden />} busy={stop.busy} onClick={() => stop.start()}>
            Stop
          </Button>
        ) : (
          <Button
            icon={<MoonStar aria-hidden />}
            busy={start.busy}
            disabled={refused !== null}
            onClick={() => start.start()}
          >
            Start an evening
          </Button>
        )}
        {sandbox.running && sandbox.rate !== rate && (
          <Button busy={start.busy} disabled={refused !== null} onClick={() => start.start()}>
            Change to {rate} a second
          </Button>
        )}
        {(sandbox.running || sandbox.sent + sandbox.failed > 0) && (
          <dl className="evening-counts" aria-label="The evening">
            <div>
              <dt>{sandbox.running ? `running at ${sandbox.rate}/s` : 'last run'}</dt>
              <dd>
                <b>{count(sandbox.sent)}</b> sent
              </dd>
            </div>
            {sandbox.failed > 0 && (
              <div className="evening-failed">
                <dt className="visually-hidden">failed</dt>
                <dd>
                  <b>{count(sandbox.failed)}</b> failed
                </dd>
              </div>
            )}
          </dl>
        )}
      </div>
      {sandbox.lastError !== null && <Note tone="invalid">{sandbox.lastError}</Note>}
      {failure !== null && (
        <Note tone="invalid" alert>
          {sentence(failure)}
        </Note>
      )}
    </Card>
  )
}
