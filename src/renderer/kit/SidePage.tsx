import { type IconOrElement } from './icons.tsx'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

interface Props {
  label: string
  panel: ReactNode
  shown: boolean
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/** A page with a side panel. In a narrow window, the panel is a sheet over the page. */
export function SidePage(props: Props) {
  const { label, panel, shown, closeLabel, onClose, children } = props
  return (
    <div
      className="relative grid h-full grid-cols-aside-1 below-1100:grid-cols-1"
      data-side={shown || undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys that bubble up from the panel */}
      <aside
        className="side-panel flex min-h-0 min-w-0 flex-col border-r border-r-line bg-surface below-1100:invisible below-1100:absolute below-1100:inset-y-0 below-1100:right-auto below-1100:left-0 below-1100:z-(--layer-sheet) below-1100:w-[min(var(--measure-menu),100%)] below-1100:shadow-l"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !shown) return
          event.stopPropagation()
          onClose()
          document.querySelector<HTMLElement>('.side-button')?.focus()
        }}
      >
        {panel}
      </aside>
      {shown && (
        <button
          type="button"
          className="side-scrim hidden"
          aria-label={closeLabel}
          onClick={onClose}
        />
      )}
      {children}
    </div>
  )
}

interface ButtonProps {
  icon: IconOrElement
  open: boolean
  onOpen: () => void
  children: string
}

/** Opens the panel in a narrow window. */
export function SideButton({ icon, open, onOpen, children }: ButtonProps) {
  return (
    <Button
      className="side-button hidden below-1100:inline-flex below-1100:justify-self-start"
      icon={icon}
      aria-expanded={open}
      onClick={onOpen}
    >
      {children}
    </Button>
  )
}
