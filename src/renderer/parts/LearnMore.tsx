import type { ReactNode } from 'react'
import { Icons } from '#kit/icons.tsx'
import { guideAddress, type GuidePageName, guidePages } from '#client/addresses/guide.ts'

interface Props {
  page: GuidePageName
  /** The anchor of a heading. A test checks that it exists. */
  section?: string
  /** Closes the dialog or popover that the link is in. */
  onFollow?: () => void
}

interface LinkProps {
  className?: string
  href: string
  onFollow: (() => void) | undefined
  children: ReactNode
}

/** A link in a dialog or popover, which it closes. */
export function DialogLink({ className, href, onFollow, children }: LinkProps) {
  return (
    <a
      className={className}
      href={href}
      onClick={(event) => {
        if (onFollow === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
        // The browser does not follow a link that is removed with its dialog.
        event.preventDefault()
        onFollow()
        location.assign(href)
      }}
    >
      {children}
    </a>
  )
}

/** Links to the part of the guide about this place. */
export function LearnMore({ page, section, onFollow }: Props) {
  const title = guidePages.find(({ name }) => name === page)?.title
  return (
    <DialogLink
      className="baseline inline-flex flex-none gap-2 text-s whitespace-nowrap"
      href={guideAddress(page, section)}
      onFollow={onFollow}
    >
      <Icons.CircleHelp />
      Learn more<span className="visually-hidden"> in the guide: {title}</span>
    </DialogLink>
  )
}
