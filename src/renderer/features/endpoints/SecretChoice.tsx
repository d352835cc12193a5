import { SecretField } from '../../components/SecretField.tsx'
import { Segments } from '../../components/Segments.tsx'

export interface SecretPlan {
  readonly way: 'none' | 'enter' | 'generate'
  readonly secret: string
}

interface Props {
  readonly plan: SecretPlan
  readonly onChange: (plan: SecretPlan) => void
}

const ways = [
  { value: 'none', label: 'None yet' },
  { value: 'enter', label: 'Enter one' },
  { value: 'generate', label: 'Generate one' },
] as const

/** Whether a new endpoint begins with a secret, and with which. */
export function SecretChoice({ plan, onChange }: Props) {
  return (
    <div className="field">
      <span className="field-title">Secret</span>
      <div>
        <Segments
          label="Secret of the new endpoint"
          value={plan.way}
          options={ways}
          onChange={(way) => onChange({ ...plan, way })}
        />
      </div>
      {plan.way === 'enter' && (
        <SecretField
          label="Secret, as on the dashboard"
          maxLength={1000}
          value={plan.secret}
          onValue={(secret) => onChange({ ...plan, secret })}
        />
      )}
    </div>
  )
}
