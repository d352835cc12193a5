import { Field, SelectField } from '../../components/Field.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { useEndpoints } from '../endpoints/store.ts'
import type { SendDraft } from './send-draft.ts'
import { signKeyOf, signOptions } from './send-draft.ts'
import './Sending.css'

interface Props {
  readonly draft: SendDraft
  readonly secondsError: string | null
  readonly set: (change: Partial<SendDraft>) => void
}

/** What becomes of the signature, how long one waits, and whether the certificate counts. */
export function HowFields({ draft, secondsError, set }: Props) {
  const endpoints = useEndpoints((state) => state.endpoints)
  const options = signOptions(endpoints)
  return (
    <>
      <div className="send-how">
        <SelectField
          label="Signature"
          value={draft.sign}
          onChange={(event) => set({ sign: signKeyOf(event.target.value, options) })}
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
          onChange={(event) => set({ seconds: event.target.value })}
        />
      </div>
      {draft.url.trim().toLowerCase().startsWith('https:') && (
        <label className="send-check">
          <input
            type="checkbox"
            checked={draft.insecure}
            onChange={(event) => set({ insecure: event.target.checked })}
          />
          Take any certificate, this time: nobody looks at whose it is
        </label>
      )}
    </>
  )
}
