/** The script of a page that has such a button. */
export const copyScript = 'copy.js'

/** Copies the text of the element with the id `of`. Shown by its script alone: without JavaScript people select the text. */
export const CopyButton = ({ of, children }: { of: string; children: string }) => (
  <>
    <button type="button" class="second" hidden data-copy={of}>
      {children}
    </button>
    <span role="status" />
  </>
)
