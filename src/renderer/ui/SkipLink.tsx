/** What the link leads to. */
export const contentId = 'content'

/** The first that the Tab key reaches: past the pages and the bar. It is seen while it has the focus. */
export function SkipLink() {
  return (
    <a
      className="button skip-link"
      href={`#${contentId}`}
      onClick={(event) => {
        // The fragment names the page: it must stay.
        event.preventDefault()
        document.getElementById(contentId)?.focus({ preventScroll: true })
      }}
    >
      Skip to the page
    </a>
  )
}
