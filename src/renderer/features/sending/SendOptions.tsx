import { Grid, Row } from '../../ui/Layout.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import type { SendDraft } from './send-draft.ts'
import { signKeyOf, signOptions } from './send-draft.ts'

interface Props {
  readonly draft: SendDraft
  readonly secondsError: string | null
  readonly onChange: (change: Partial<SendDraft>) => void
}

/** How to send: the signature, the time limit and TLS verification. */
export function SendOptions({ draft, secondsError, onChange }: Props) {
  const endpoints = useEndpoints((state) => state.endpoints)
  const options = signOptions(endpoints)
  return (
    <>
      <Grid columns="1 field" gap={5}>
        <SelectField
          label="Signature"
          value={draft.sign}
          onChange={(event) => onChange({ sign: signKeyOf(event.target.value, options) })}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {visible(cut(label, 80))}
            </option>
          ))}
        </SelectField>
        <Field
          label="Time limit"
          inputMode="decimal"
          value={draft.seconds}
          error={secondsError}
          after={<span className="field-unit">seconds</span>}
          onChange={(event) => onChange({ seconds: event.target.value })}
        />
      </Grid>
      {draft.url.trim().toLowerCase().startsWith('https:') && (
        <Row as="label" align="center" gap={4} size="s">
          <input
            type="checkbox"
            checked={draft.insecure}
            onChange={(event) => onChange({ insecure: event.target.checked })}
          />
          Skip TLS verification for this request
        </Row>
      )}
    </>
  )
}
