import { CircleAlert, ClipboardCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Page } from '../../components/Page.tsx'
import { clockTimeSeconds, fullTime, utcTime } from '../../components/text/time.ts'
import { useNow } from '../../components/use-now.ts'
import { keepText, keptText } from '../../platform/storage.ts'
import { useKeys } from '../shell/bound.ts'
import { Report } from './Report.tsx'
import type { Since } from './since.ts'
import { dateOf, sinceChoices, sinceOf } from './since.ts'
import { SincePicker } from './SincePicker.tsx'
import { useConformance } from './use-conformance.ts'
import './ConformancePage.css'

const kept = 'tabscope.conformance.since'
const weekMs = 7 * 86_400_000

/** For each event type what came and where it departs from the document; on top what is new since a day. */
export function ConformancePage() {
  const { conformance, ask } = useConformance(null)
  const { types, at, failure } = conformance
  const now = useNow()
  const [since, setSince] = useState<Since>(() => ({
    choice: sinceChoices.find((choice) => choice === keptText(kept)) ?? 'today',
    date: dateOf(now - weekMs),
  }))
  const picker = useRef<HTMLDivElement>(null)
  useKeys({
    recompute: ask,
    since: () => picker.current?.querySelector<HTMLInputElement>(':checked')?.focus(),
  })

  return (
    <Page
      title="Conformance"
      lead="What came, type by type, and where it departs from the service’s document."
      actions={
        <div className="conformance-state">
          {at !== null && (
            <p className="dim">
              Computed at{' '}
              <time dateTime={utcTime(at)} title={fullTime(at)}>
                {clockTimeSeconds(at)}
              </time>
            </p>
          )}
          <Button hint="u" onClick={ask}>
            Compute again
          </Button>
        </div>
      }
    >
      {failure !== null && types !== null && (
        <Note tone="invalid" alert action={<Button onClick={ask}>Try again</Button>}>
          {failure} What is shown is from before.
        </Note>
      )}
      {types !== null && types.length > 0 ? (
        <>
          <SincePicker
            ref={picker}
            since={since}
            now={now}
            onChange={(next) => {
              setSince(next)
              keepText(kept, next.choice)
            }}
          />
          <Report types={types} since={sinceOf(since, now)} />
        </>
      ) : (
        <NoReport empty={types !== null} failure={failure} ask={ask} />
      )}
    </Page>
  )
}

interface NoReportProps {
  /** The store was asked, and has no deliveries. */
  readonly empty: boolean
  readonly failure: string | null
  readonly ask: () => void
}

function NoReport({ empty, failure, ask }: NoReportProps) {
  if (empty) {
    return (
      <Empty
        icon={<ClipboardCheck aria-hidden />}
        title="Nothing to compare yet"
        actions={
          <a className="button" data-kind="plain" href="#/sandbox">
            Send samples from the sandbox
          </a>
        }
      >
        As soon as deliveries come, each type is compared with the service’s document here.
      </Empty>
    )
  }
  if (failure !== null) {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="The summary could not be computed"
        actions={<Button onClick={ask}>Try again</Button>}
      >
        {failure}
      </Empty>
    )
  }
  return <div className="plain-card conformance-coming" role="status" aria-label="Computing" />
}
