import type { Page } from 'playwright-core'

/**
 * Puts what the probes share into the page. They look at what is drawn, into shadow roots too, and return a line for each fault.
 */
export async function putProbes(page: Page): Promise<void> {
  // The page's own policy allows no foreign script; a script of the debugger is not one.
  await page.evaluate(probes)
}

const probes = `(() => {
  if (globalThis.probes) return
  const drawn = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false })
  const all = (root = document) => [...root.querySelectorAll('*')].flatMap((element) =>
    element.shadowRoot ? [element, ...all(element.shadowRoot)] : [element])
  const name = (element) => {
    const text = element.getAttribute('aria-label') || element.innerText || element.title || element.name || ''
    return element.tagName.toLowerCase() + (element.className && typeof element.className === 'string' ? '.' + element.className.split(' ')[0] : '') + ' "' + text.trim().replace(/\\s+/g, ' ').slice(0, 40) + '"'
  }
  /** What the Tab key must come to. Of radio buttons with one name only one. */
  const controls = () => {
    const groups = new Set()
    return all().filter((element) => {
      if (element.tabIndex < 0 || !element.matches('a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]')) return false
      if (element.matches(':disabled') || element.closest('[inert]') || !drawn(element)) return false
      if (element.matches('input[type="radio"]') && element.name !== '') {
        const checked = element.getRootNode().querySelector('input[type="radio"][name="' + CSS.escape(element.name) + '"]:checked')
        if (checked !== null && checked !== element) return false
        if (groups.has(element.name)) return false
        groups.add(element.name)
      }
      return true
    })
  }
  globalThis.probes = { all, drawn, name, controls }
})()`

/** Headings that leave out a level, more or fewer than one first heading, and a title that does not tell the page. */
export function outlineFaults(page: Page, title: string): Promise<string[]> {
  return page.evaluate((expected) => {
    const { drawn, name } = Reflect.get(globalThis, 'probes')
    const faults: string[] = []
    const headings = [...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)')].filter(
      (one) => drawn(one),
    )
    const firsts = headings.filter(({ tagName }) => tagName === 'H1').length
    if (firsts !== 1) faults.push(`${firsts} first headings`)
    let before = 0
    for (const heading of headings) {
      const level = Number(heading.tagName.slice(1))
      if (level > before + 1) faults.push(`${name(heading)} comes under level ${before}`)
      before = level
    }
    if (document.title !== `${expected} - Tabscope`) faults.push(`the title is ${document.title}`)
    for (const one of document.querySelectorAll('[tabindex]')) {
      if (Number(one.getAttribute('tabindex')) > 0) faults.push(`${name(one)} jumps the order`)
    }
    return faults
  }, title)
}

/** What moves, or changes by and by, although no motion is wanted. `most`: milliseconds. */
export function motionFaults(page: Page, most = 10): Promise<string[]> {
  return page.evaluate((limit) => {
    const { all, name } = Reflect.get(globalThis, 'probes')
    const longest = (list: string): number =>
      Math.max(
        ...list
          .split(',')
          .map((one) => (one.trim().endsWith('ms') ? 1 : 1000) * Number.parseFloat(one)),
      )
    const faults = new Set<string>()
    for (const element of all()) {
      for (const part of [null, '::before', '::after']) {
        const style = getComputedStyle(element, part)
        if (part !== null && style.content === 'none') continue
        if (longest(style.transitionDuration) > limit) faults.add(`${name(element)} takes its time`)
        if (style.animationName !== 'none' && longest(style.animationDuration) > limit) {
          faults.add(`${name(element)} moves: ${style.animationName}`)
        }
        if (style.scrollBehavior === 'smooth') faults.add(`${name(element)} scrolls smoothly`)
      }
    }
    return [...faults]
  }, most)
}

/**
 * What is lost in a small window: a page that must be scrolled sideways, controls that cannot be brought into it or that lie under something
 * else, and text that is cut without a sign.
 */
export function reflowFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { all, controls, drawn, name } = Reflect.get(globalThis, 'probes')
    const faults = new Set<string>()
    const { scrollWidth, scrollHeight } = document.documentElement
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) {
      faults.add(`the page is ${scrollWidth} by ${scrollHeight}`)
    }
    for (const control of controls()) {
      control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      // What is drawn in its place: a label, where the control itself is only there for the keyboard.
      const seen = control.matches('input') && control.closest('label') ? control.closest('label') : control
      const { left, top, right, bottom, width, height } = seen.getBoundingClientRect()
      // For the keyboard alone: it is shown when it has the focus.
      if (width <= 1 || height <= 1) continue
      const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2
      const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2
      if (left < -1 || right > innerWidth + 1) {
        if (width <= innerWidth) faults.add(`${name(control)} is out of the window, from ${Math.round(left)} to ${Math.round(right)}`)
      }
      const [over] = control.getRootNode().elementsFromPoint(x, y)
      if (over === undefined) {
        faults.add(`${name(control)} cannot be brought into the window`)
      } else if (over !== seen && !seen.contains(over) && !over.contains(seen) && !over.shadowRoot) {
        faults.add(`${name(control)} lies under ${name(over)}`)
      }
    }
    for (const element of all()) {
      const style = getComputedStyle(element)
      if (!/hidden|clip/.test(style.overflowX) || style.textOverflow === 'ellipsis') continue
      if (style.clipPath !== 'none' || !drawn(element) || element.closest('svg, [aria-hidden="true"]')) continue
      if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
        faults.add(`${name(element)} cuts ${element.scrollWidth} to ${element.clientWidth}`)
      }
    }
    return [...faults]
  })
}

/**
 * Goes through the page by the Tab key alone. Tells what it never came to, where it stayed for ever, what showed no focus, and what was
 * not in sight when it had it.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const total = await page.evaluate(() => {
    const { controls, name } = Reflect.get(globalThis, 'probes')
    const seen: Element[] = []
    const faults: string[] = []
    const deepest = (): Element | null => {
      let at = document.activeElement
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
      return at
    }
    const marked = (element: Element): boolean => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { outlineStyle, outlineWidth } = getComputedStyle(at)
        if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true
        const after = getComputedStyle(at, '::after')
        // The divider between panes is drawn as a line, which gets thicker and coloured.
        if (at.matches('[role="separator"]') && after.content !== 'none') return true
        if (at.matches('section, main, form, fieldset, li, tr')) break
      }
      return [...element.parentElement?.children ?? []].some(
        (sibling) => sibling !== element && getComputedStyle(sibling).outlineStyle !== 'none',
      ) || [...element.children].some((child) => getComputedStyle(child).outlineStyle !== 'none')
    }
    const onFocus = (): void => {
      const at = deepest()
      if (at === null || at === document.body) return
      seen.push(at)
      if (!marked(at)) faults.push(`${name(at)} shows no focus`)
      const { left, right, top, bottom, width } = at.getBoundingClientRect()
      const outside = right < 0 || bottom < 0 || left > innerWidth || top > innerHeight
      if (outside && width > 1) faults.push(`${name(at)} has the focus out of sight`)
    }
    document.addEventListener('focusin', onFocus)
    Reflect.set(globalThis, 'walked', { seen, faults, onFocus })
    const before = document.activeElement
    if (before instanceof HTMLElement) before.blur()
    return controls().length
  })
  // From the top of the document, wherever the last press left it.
  await page.evaluate(() => {
    const first = document.body.firstElementChild
    const range = document.createRange()
    if (first !== null) range.setStart(document.body, 0)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
  })
  const done = (): Promise<number> =>
    page.evaluate(() => {
      const { seen } = Reflect.get(globalThis, 'walked')
      return new Set(seen).size
    })
  for (let presses = 0; presses < total * 2 + 20; presses += 10) {
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('Tab')
    const { length, size } = await page.evaluate(() => {
      const { seen } = Reflect.get(globalThis, 'walked')
      return { length: seen.length, size: new Set(seen).size }
    })
    // Round once: the rest is known.
    if (length > size + 3 && size > 0) break
  }
  void done
  return page.evaluate(() => {
    const { controls, name } = Reflect.get(globalThis, 'probes')
    const { seen, faults, onFocus } = Reflect.get(globalThis, 'walked')
    document.removeEventListener('focusin', onFocus)
    const reached = new Set(seen)
    const missed = controls().filter((control: Element) => !reached.has(control))
    return [
      ...new Set([...faults, ...missed.map((one: Element) => `${name(one)} is never reached`)]),
    ] as string[]
  })
}
