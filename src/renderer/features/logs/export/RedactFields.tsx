import { useRef, useState } from 'react'
import { keepableClasses } from '#contract/logs.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Note } from '../../../components/Note.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { Switch } from '../../answering/Switch.tsx'
import { RuleRows } from '../rules/RuleRows.tsx'
import { useLogs } from '../store.ts'
import type { ExportDraft } from './draft.ts'
import { keepableWords, removalClassWords } from './removal-words.ts'

interface Props {
  readonly draft: ExportDraft
  /** Why a rule for this time was not taken. */
  readonly refused: string | null
  readonly onChange: (change: Partial<ExportDraft>) => void
}

/** Whether secrets and guests are taken out. On unless the user says twice that it is to be off. */
export function RedactFields({ draft, refused, onChange }: Props) {
  const [asking, setAsking] = useState(false)
  const kept = useLogs((state) => state.rules.length)
  return (
    <fieldset className="export-part">
      <legend>Redaction</legend>
      <div className="export-redact">
        <Switch
          label="Take out secrets and personal data"
          on={draft.redact}
          onChange={(on) => (on ? onChange({ redact: true }) : setAsking(true))}
        />
        <p>
          {draft.redact
            ? 'Each value is replaced by a pseudonym that cannot be reversed.'
            : 'Off: everything leaves as it is.'}
        </p>
      </div>
      {draft.redact && <Classes draft={draft} onChange={onChange} />}
      {draft.redact ? (
        <details className="export-rules">
          <summary>
            Rules of your own
            <span className="dim">
              {' '}
              {[
                kept > 0 ? `${counted(kept, 'is', 'are')} kept for every export` : null,
                draft.rules.length > 0 ? `${draft.rules.length} for this time` : null,
              ]
                .filter((part) => part !== null)
                .join(', ')}
            </span>
          </summary>
          <RuleRows
            rules={draft.rules}
            label="Rules for this time"
            busy={false}
            error={refused}
            onChange={async (rules) => {
              onChange({ rules })
              return true
            }}
          />
        </details>
      ) : (
        <Note tone="invalid">The file is marked as not redacted, in its head and by its name.</Note>
      )}
      <AskOff
        open={asking}
        onKeep={() => setAsking(false)}
        onOff={() => {
          setAsking(false)
          onChange({ redact: false })
        }}
      />
    </fieldset>
  )
}

/** What is taken out, by class. Secrets can only be kept by turning redaction off. */
function Classes({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <div className="export-classes" role="group" aria-label="Replace">
      <label className="export-choice">
        <input type="checkbox" checked disabled />
        <span>
          Secrets <span className="dim">tokens, credentials, cookies, signatures; always</span>
        </span>
      </label>
      {removalClassWords.map(({ name, label }) => {
        const kept = keepableClasses.find((one) => one === name)
        return (
          kept !== undefined && (
            <label key={kept} className="export-choice">
              <input
                type="checkbox"
                checked={!draft.keep.includes(kept)}
                onChange={(event) =>
                  onChange({
                    keep: event.target.checked
                      ? draft.keep.filter((one) => one !== kept)
                      : [...draft.keep, kept],
                  })
                }
              />
              <span>
                {label} <span className="dim">{keepableWords[kept]}</span>
              </span>
            </label>
          )
        )
      })}
    </div>
  )
}

interface AskProps {
  readonly open: boolean
  readonly onKeep: () => void
  readonly onOff: () => void
}

function AskOff({ open, onKeep, onOff }: AskProps) {
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      title="Export without redaction?"
      description="Whoever gets this file can read all that came and went:"
    >
      <ul className="export-off">
        <li>guests’ phone numbers, e-mail addresses and handles, in every body,</li>
        <li>Authorization and Cookie headers, custom headers, signatures,</li>
        <li>notes, addresses and answers as they are.</li>
      </ul>
      <p className="export-off-why">
        That is right for a copy of your own. For anybody else, keep redaction on: verdicts stay as
        they were at capture. The file will be marked as not redacted.
      </p>
      <div className="dialog-actions">
        <Button ref={keep} onClick={onKeep}>
          Keep redaction on
        </Button>
        <Button kind="danger" onClick={onOff}>
          Turn it off for this export
        </Button>
      </div>
    </Dialog>
  )
}
