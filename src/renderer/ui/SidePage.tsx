import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Grid, Stack } from './Layout.tsx'
import './SidePage.css'

interface Props {
  readonly title: string
  /** What the panel is called. */
  readonly label: string
  readonly panel: ReactNode
  /** Whether the panel is shown where there is no room for it beside the page. */
  readonly shown: boolean
  /** What closes it then is called. */
  readonly closeLabel: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A page with a list beside it; in a narrow window the list lies over the page as a sheet. */
export function SidePage(props: Props) {
  const { title, label, panel, shown, closeLabel, onClose, children } = props
  return (
    <Grid columns="aside 1" full className="side-page" data-side={shown || undefined}>
      <h1 className="visually-hidden">{title}</h1>
      {/* The keys of what is in it come through it. */}
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
  readonly icon: ReactNode
  readonly open: boolean
  readonly onOpen: () => void
  readonly children: string
}

/** Shows the panel, where it does not lie beside the page. */
export function SideButton({ icon, open, onOpen, children }: ButtonProps) {
  return (
    <Button className="side-button" icon={icon} aria-expanded={open} onClick={onOpen}>
      {children}
    </Button>
  )
}
