import { useRef, useState } from 'react'
import { keepableClasses, redactedValues, redactionLimits } from '#contract/redaction.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Note } from '../../../components/Note.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { Switch } from '../../answering/Switch.tsx'
import { RuleRows } from '../rules/RuleRows.tsx'
import { useLogs } from '../store.ts'
import type { ExportDraft } from './draft.ts'

interface Props {
  readonly draft: ExportDraft
  /** Why a rule for this time was not taken. */
  readonly refused: string | null
  readonly onChange: (change: Partial<ExportDraft>) => void
}

/** Whether the file is redacted. On unless the user confirms that it is to be off. */
export function RedactFields({ draft, refused, onChange }: Props) {
  const [asking, setAsking] = useState(false)
  const kept = useLogs((state) => state.rules.length)
  return (
    <fieldset className="export-part">
      <legend>Redaction</legend>
      <div className="export-redact">
        <Switch
          label="Redact"
          on={draft.redact}
          onChange={(on) => (on ? onChange({ redact: true }) : setAsking(true))}
        />
        <p>
          {draft.redact
            ? 'Replaces what is selected below by pseudonyms that cannot be reversed.'
            : 'Off: every value is exported as it is.'}
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

/** What is redacted, by class. Secrets can only be kept by turning redaction off. */
function Classes({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <div className="export-classes" role="group" aria-label="Replace">
      <label className="export-choice">
        <input type="checkbox" checked disabled />
        <span>
          {redactedValues.secrets.label}{' '}
          <span className="dim">{redactedValues.secrets.values}; always</span>
        </span>
      </label>
      {keepableClasses.map((name) => {
        const { label, values } = redactedValues[name]
        return (
          <label key={name} className="export-choice">
            <input
              type="checkbox"
              checked={!draft.keep.includes(name)}
              onChange={(event) =>
                onChange({
                  keep: event.target.checked
                    ? draft.keep.filter((one) => one !== name)
                    : [...draft.keep, name],
                })
              }
            />
            <span>
              {label} <span className="dim">{values}</span>
            </span>
          </label>
        )
      })}
      <p className="dim">{redactionLimits}</p>
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
      description="Anyone who has this file can read, among everything else:"
    >
      <ul className="export-off">
        {Object.values(redactedValues).map(({ label, values }) => (
          <li key={label}>
            {label}: {values}
          </li>
        ))}
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
