import './Switch.css'

interface Props {
  readonly label: string
  /** The ID of the element that describes the switch. */
  readonly describedBy?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** A switch that takes effect immediately. */
export function Switch({ label, describedBy, on, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={describedBy}
      title={on ? 'On' : 'Off'}
      className="switch after:absolute after:top-[2px] after:left-[2px] after:h-(--icon-xs) after:w-(--icon-xs) after:rounded-[50%] after:bg-dim after:[transition:translate_var(--ease)] aria-checked:border-accent aria-checked:bg-accent data-on:border-accent data-on:bg-accent"
      onClick={() => onChange(!on)}
    >
      <span aria-hidden>{on ? 'On' : 'Off'}</span>
    </button>
  )
}
