import type { ComponentChildren } from 'preact'

/** The script that a page with a copy button needs. */
export const copyScript = 'copy.js'

/** Copies the text of the element with the id `targetId`. The script shows the button, so it is invisible without JavaScript. */
export const CopyButton = ({ targetId, children }: { targetId: string; children: ComponentChildren }) => (
  <>
    <button type="button" class="second" hidden data-copy={targetId}>
      {children}
    </button>
    <span role="status" />
  </>
)
