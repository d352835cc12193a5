/** The ID of the element that the link focuses. */
export const contentId = 'content'

/** The first element in the tab order. Skips the navigation and the bar. Visible while focused. */
export function SkipLink() {
  return (
    <a
      className="button fixed top-3 left-3 z-(--layer-top) not-focus:h-px not-focus:w-px not-focus:border-0 not-focus:p-0 not-focus:contain-strict not-focus:[clip-path:inset(50%)]"
      href={`#${contentId}`}
      onClick={(event) => {
        // The fragment of the URL contains the current page and must not change.
        event.preventDefault()
        document.getElementById(contentId)?.focus({ preventScroll: true })
      }}
    >
      Skip to the page
    </a>
  )
}
