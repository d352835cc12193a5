import { type IconOrElement } from './icons.tsx'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Grid, Stack } from './Layout.tsx'
import './SidePage.css'

interface Props {
  readonly label: string
  readonly panel: ReactNode
  /** Whether the panel is open in a narrow window. */
  readonly shown: boolean
  /** The accessible name of the area that closes the panel. */
  readonly closeLabel: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A page with a side panel. In a narrow window, the panel is a sheet over the page. */
export function SidePage(props: Props) {
  const { label, panel, shown, closeLabel, onClose, children } = props
  return (
    <Grid columns="aside 1" full className="side-page" data-side={shown || undefined}>
      {/* Handles keys that bubble up from the panel. */}
      <Stack
        as="aside"
        column
        shrink
        className="side-panel"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !shown) return
          event.stopPropagation()
          onClose()
          document.querySelector<HTMLElement>('.side-button')?.focus()
        }}
      >
        {panel}
      </Stack>
      {shown && (
        <button type="button" className="side-scrim" aria-label={closeLabel} onClick={onClose} />
      )}
      {children}
    </Grid>
  )
}

interface ButtonProps {
  readonly icon: IconOrElement
  readonly open: boolean
  readonly onOpen: () => void
  readonly children: string
}

/** Opens the panel in a narrow window. */
export function SideButton({ icon, open, onOpen, children }: ButtonProps) {
  return (
    <Button className="side-button" icon={icon} aria-expanded={open} onClick={onOpen}>
      {children}
    </Button>
  )
}
