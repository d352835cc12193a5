import { useRef, useState } from 'react'
import { keepableClasses, redactedValues, redactionLimits } from '#contract/redaction.ts'
import { Text, Grid, Stack } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Note } from '../../../ui/Note.tsx'
import { formatCount } from '#shared/text/format.ts'
import { Switch } from '../../../ui/Switch.tsx'
import { Check, Part } from './WhatFields.tsx'
import { useLogs } from '../../../state/logs.ts'
import type { ExportDraft } from './draft.ts'

interface Props {
  readonly draft: ExportDraft
  readonly onChange: (change: Partial<ExportDraft>) => void
}

/** Redaction is on unless the user turns it off and confirms. */
export function RedactFields({ draft, onChange }: Props) {
  const [confirming, setConfirming] = useState(false)
  const permanentRules = useLogs((state) => state.rules.length)
  return (
    <Part title="Redaction">
      <Grid columns="auto 1" gap={4} align="start">
        <Switch
          label="Redact"
          on={draft.redact}
          onChange={(on) => (on ? onChange({ redact: true }) : setConfirming(true))}
        />
        <Text as="p" tone="mid" size="s">
          {draft.redact
            ? 'Replaces the values selected below with pseudonyms that cannot be reversed.'
            : 'Off: every value is exported as it is.'}
        </Text>
      </Grid>
      {draft.redact && <Classes draft={draft} onChange={onChange} />}
      {draft.redact ? (
        <p className="dim">
          {permanentRules === 0 ? 'None' : formatCount(permanentRules)} of your own rules apply.
          Edit them on the page <a href="#/logs">Event logs</a>.
        </p>
      ) : (
        <Note tone="invalid">The file is marked as not redacted in its header and its name.</Note>
      )}
      <ConfirmOff
        open={confirming}
        onKeep={() => setConfirming(false)}
        onOff={() => {
          setConfirming(false)
          onChange({ redact: false })
        }}
      />
    </Part>
  )
}

/** The classes of values to redact. Secrets are always redacted unless redaction is off. */
function Classes({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <Stack gap={2} role="group" aria-label="Replace">
      <Check
        label={redactedValues.secrets.label}
        about={`${redactedValues.secrets.values}; always`}
        checked
        disabled
      />
      {keepableClasses.map((name) => {
        const { label, values } = redactedValues[name]
        return (
          <Check
            key={name}
            label={label}
            about={values}
            checked={!draft.keep.includes(name)}
            onChange={(event) =>
              onChange({
                keep: event.target.checked
                  ? draft.keep.filter((kept) => kept !== name)
                  : [...draft.keep, name],
              })
            }
          />
        )
      })}
      <p className="dim">{redactionLimits}</p>
    </Stack>
  )
}

interface ConfirmOffProps {
  readonly open: boolean
  readonly onKeep: () => void
  readonly onOff: () => void
}

function ConfirmOff({ open, onKeep, onOff }: ConfirmOffProps) {
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      title="Export without redaction?"
      description="Anyone who has this file can read everything in it, including:"
    >
      <Stack as="ul" gap={1} marginTop={4} className="bullets">
        {Object.values(redactedValues).map(({ label, values }) => (
          <li key={label}>
            {label}: {values}
          </li>
        ))}
      </Stack>
      <Text as="p" marginTop={4} tone="mid">
        Only do this for your own copy. To share the file, keep redaction on: verdicts stay as they
        were at capture. The file will be marked as not redacted.
      </Text>
      <div className="dialog-actions">
        <Button ref={keep} onClick={onKeep}>
          Keep redaction on
        </Button>
        <Button kind="danger" onClick={onOff}>
          Turn off for this export
        </Button>
      </div>
    </Dialog>
  )
}
