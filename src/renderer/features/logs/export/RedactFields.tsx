import { maskingRules } from '#contract/constants.ts'
import { Text, Grid, Stack } from '../../../ui/Layout.tsx'
import { confirm } from '../../../ui/Confirm.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { Part } from './WhatFields.tsx'
import type { ExportDraft } from './draft.ts'

interface Props {
  readonly draft: ExportDraft
  readonly onChange: (change: Partial<ExportDraft>) => void
}

/** Redaction is on unless the user turns it off and confirms. */
export function RedactFields({ draft, onChange }: Props) {
  const turnOff = (): void =>
    confirm({
      title: 'Export without redaction?',
      description:
        'Anyone who has this file can read everything in it: names and contacts of guests, notes, headers with credentials and signatures. Only do this for your own copy: the file is marked as not redacted. To share it, leave redaction on and keep the fields that support needs.',
      action: 'Turn off for this export',
      run: () => onChange({ redact: false }),
    })
  return (
    <Part title="Redaction">
      <Grid columns="auto 1" gap={4} align="start">
        <Switch
          label="Redact"
          on={draft.redact}
          onChange={(on) => (on ? onChange({ redact: true }) : turnOff())}
        />
        <Text as="p" tone="mid" size="s">
          {draft.redact
            ? 'Only values that are known to be harmless are exported as received. The preview shows them by field, and lets you keep or mask others.'
            : 'Off: every value is exported as it is.'}
        </Text>
      </Grid>
      {draft.redact ? (
        <Stack as="dl" gap={2} size="s" tone="mid">
          {maskingRules.map(({ what, values }) => (
            <div key={what}>
              <Text as="dt" tone="ink" weight="semibold">
                {what}
              </Text>
              <dd>{values}</dd>
            </div>
          ))}
        </Stack>
      ) : (
        <Note tone="invalid">The file is marked as not redacted in its header and its name.</Note>
      )}
    </Part>
  )
}
