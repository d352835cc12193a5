import { CircleAlert, Send, Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { span } from '../../components/text/time.ts'
import { Answer } from './Answer.tsx'
import { editDraft, setOutcome, useConsole } from './store.ts'
import './Answer.css'

/** The sandbox's own resource. */
const madeUp = '/api/sandbox/locations'

/** What came of the request, in every state of it. */
export function AnswerPane({ integration }: { readonly integration: Integration }) {
  const outcome = useConsole((state) => state.outcomes[integration.id])
  return (
    <section className="console-answer" aria-label="Answer">
      {outcome === undefined ? (
        <NothingYet integration={integration} />
      ) : outcome.phase === 'sending' ? (
        <Sending key={outcome.key} since={outcome.since} />
      ) : outcome.phase === 'loading' ? (
        <div className="detail-coming" role="status" aria-label="Loading the answer" />
      ) : outcome.phase === 'refused' || outcome.phase === 'lost' ? (
        <Empty
          icon={outcome.phase === 'lost' ? <Unplug aria-hidden /> : <CircleAlert aria-hidden />}
          title={outcome.phase === 'lost' ? 'The answer did not come through' : 'That did not work'}
          actions={<Button onClick={() => setOutcome(integration.id, null)}>Dismiss</Button>}
        >
          <span role="alert">
            {outcome.message}
            {outcome.phase === 'lost' && ' If it was sent, the history will have it.'}
          </span>
        </Empty>
      ) : (
        <Answer key={outcome.exchange.id} exchange={outcome.exchange} />
      )}
    </section>
  )
}

function NothingYet({ integration }: { readonly integration: Integration }) {
  return (
    <Empty
      icon={<Send aria-hidden />}
      title="The answer will be here"
      actions={
        integration.kind === 'sandbox' && (
          <div className="console-sample">
            <Button
              onClick={() => {
                editDraft(integration.id, { method: 'GET', path: madeUp.slice(1) })
                document.querySelector<HTMLElement>('[data-path]')?.focus()
              }}
            >
              <span className="mono">GET {madeUp}</span>
            </Button>
            <span className="tag" data-tone="missing">
              made up by the sandbox
            </span>
          </div>
        )
      }
    >
      The service’s document shows no path to call with a token, so none is offered here. Write the
      one you know from your own account.
    </Empty>
  )
}

/** How long it has been under way. A request that is over soon is not worth a word. */
function Sending({ since }: { readonly since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="console-sending" role="status">
      <span className="console-pulse" aria-hidden />
      <p>Waiting for the answer</p>
      {/* Read out it would never end. */}
      <p className="dim" aria-hidden>
        {now - since < 300 ? '' : span(now - since)}
      </p>
    </div>
  )
}
