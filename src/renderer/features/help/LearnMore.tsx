import { CircleHelp } from 'lucide-react'
import { useCan } from '../../state/app.ts'
import { guideAddress, type GuidePageName, guidePages } from '../../routes/guide.ts'

interface Props {
  readonly page: GuidePageName
  /** The anchor of a heading. A test holds that it is there. */
  readonly section?: string
  /** Closes the dialog or popover that the link is in. */
  readonly onFollow?: () => void
}

/** Leads to what the guide says about this place. An exported page has no guide, and so no link. */
export function LearnMore({ page, section, onFollow }: Props) {
  const hasGuide = useCan('editing')
  const title = guidePages.find(({ name }) => name === page)?.title
  if (!hasGuide) return null
  const address = guideAddress(page, section)
  return (
    <a
      className="row-inline gap-2 align-baseline size-s fixed nowrap"
      href={address}
      onClick={(event) => {
        if (onFollow === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
        // A link that is removed with its dialog is not followed by the browser.
        event.preventDefault()
        onFollow()
        location.assign(address)
      }}
    >
      <CircleHelp aria-hidden />
      Learn more<span className="visually-hidden"> in the guide: {title}</span>
    </a>
  )
}
