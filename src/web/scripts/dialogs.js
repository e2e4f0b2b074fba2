// Shows what a link to a confirmation leads to as a dialog over the page. Without this script, it is a page of its own. The browser
// closes the dialog with Escape and with a click outside, and returns the focus to the link.

document.addEventListener('click', async (event) => {
  const link = event.target.closest('a.confirm')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const dialog = await loadDialog(link.href).catch(() => null)
  if (!dialog) return location.assign(link.href)
  if (document.querySelector('dialog')) return
  // Beside the link: a dialog outside of a menu would close it, and the focus could not return to the link.
  link.after(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.showModal()
  // Not the button that acts: the key that opened the dialog may still be pressed.
  dialog.querySelector('input:not([type=hidden]), select, .cancel').focus()
})

/** Returns null if the address shows something else, such as the sign-in page. */
async function loadDialog(address) {
  const response = await fetch(address)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const content = page.querySelector('.confirmation')
  if (!content) return null
  const heading = document.createElement('h2')
  heading.textContent = page.querySelector('h1').textContent
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', heading.textContent)
  dialog.setAttribute('closedby', 'any')
  dialog.append(heading, content)
  dialog.querySelector('.cancel').addEventListener('click', (event) => {
    event.preventDefault()
    dialog.close()
  })
  return dialog
}
