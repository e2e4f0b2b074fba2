// Closes an open menu with Escape and with a click outside. That only one is open at a time needs no script: all menus are
// `details` elements with the same name.

const openMenu = () => document.querySelector('details[name=menu][open]')

document.addEventListener('keydown', ({ key }) => {
  const menu = key === 'Escape' ? openMenu() : null
  if (!menu || menu.querySelector('dialog[open]')) return
  menu.open = false
  menu.querySelector('summary').focus()
})

document.addEventListener('pointerdown', ({ target }) => {
  const menu = openMenu()
  // The links of the navigation stand beside the element that opens it on a phone.
  if (menu && !menu.contains(target) && !(menu.matches('.menu') && target.closest('.sidebar'))) menu.open = false
})
