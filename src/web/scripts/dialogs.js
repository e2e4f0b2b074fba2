// Shows the confirmation of a link as a dialog over the page. Without this script, the confirmation is a page. The browser closes the
// dialog with Escape and with a click outside, and returns the focus to the link.

document.addEventListener('click', async (event) => {
  const link = event.target.closest('a.confirm')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const dialog = await loadDialog(link.href).catch(() => null)
  if (!dialog) return location.assign(link.href)
  if (document.querySelector('dialog')) return
  // The dialog is inserted beside the link. A dialog outside a menu would close the menu, and the focus could not return to the link.
  link.after(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.showModal()
  // The button of the action does not get the focus, because the key that opened the dialog may still be pressed.
  dialog.querySelector('input:not([type=hidden]), select, .cancel').focus()
})

/** Returns null if the address leads to another page, such as the sign-in page. */
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
