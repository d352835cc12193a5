import { ShieldCheck, ShieldOff } from 'lucide-react'
import type { LogPreview } from '#contract/logs.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { byteSize, count, counted } from '../../../components/text/numbers.ts'
import { cut } from '../../../components/text/visible.ts'
import { Progress } from '../Progress.tsx'
import { shareOf } from '../labels.ts'
import { RemovalList } from './RemovalList.tsx'
import type { Preview } from './use-preview.ts'

interface Props {
  readonly looked: Preview
  readonly redact: boolean
  /** What is wished cannot be taken so. */
  readonly wrong: boolean
}

/** What would be in the file, and exactly what would not. */
export function PreviewPane({ looked, redact, wrong }: Props) {
  const { preview, stale, error, retry } = looked
  return (
    <section className="export-preview" aria-label="Preview" data-stale={stale || undefined}>
      {wrong ? (
        <p className="export-wait mid">What it would hold is shown once the above can be read.</p>
      ) : error !== null ? (
        <Note tone="invalid" alert action={<Button onClick={retry}>Try again</Button>}>
          What it would hold cannot be told. {error.message}
        </Note>
      ) : preview === null ? (
        <p className="export-wait mid" role="status">
          Looking at what it would hold
        </p>
      ) : (
        <Told preview={preview} redact={redact} />
      )}
    </section>
  )
}

function Told({ preview, redact }: { readonly preview: LogPreview; readonly redact: boolean }) {
  const { complete, looked, deliveries, bytesInAll, removals, notes } = preview
  const values = removals.reduce((sum, one) => sum + one.values, 0)
  const far = `${count(looked)} of ${count(deliveries)} looked at`
  return (
    <>
      <header className="export-sum">
        <p role="status">
          <b>{count(deliveries)}</b> {deliveries === 1 ? 'delivery' : 'deliveries'}
          <span className="export-size">
            {complete ? '' : 'about '}
            <b>{byteSize(bytesInAll)}</b>
          </span>
        </p>
        {!complete && (
          <>
            <Progress label="Looked at" share={shareOf(looked, deliveries)} words={far} />
            <p className="dim">{far}</p>
          </>
        )}
      </header>
      {deliveries === 0 && (
        <Note tone="missing">No delivery is in it. Choose others, or another time.</Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={cut(note, 1000)} />
        </Note>
      ))}
      {!redact ? (
        <div className="export-verdict" data-tone="invalid">
          <ShieldOff aria-hidden />
          <p>
            <b>Nothing is redacted.</b> Every value is exported as it is.
          </p>
        </div>
      ) : removals.length === 0 ? (
        deliveries > 0 && (
          <div className="export-verdict" data-tone="valid">
            <ShieldCheck aria-hidden />
            <p>
              {complete
                ? 'Nothing was recognized that redaction replaces.'
                : 'Nothing was recognized so far that redaction replaces.'}
            </p>
          </div>
        )
      ) : (
        <>
          <h3 className="removals-head">
            <ShieldCheck aria-hidden /> {counted(values, 'value is', 'values are')} redacted
            {complete ? '' : ' so far'}, at {counted(removals.length, 'place', 'places')}
          </h3>
          <RemovalList removals={removals} />
        </>
      )}
    </>
  )
}
