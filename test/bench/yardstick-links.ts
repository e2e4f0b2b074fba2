/** `links` and `meta` of the envelope (§2.7) for the yardstick, written for it. */
export function linksOf(path: string, kept: readonly string[], page: number, perPage: number, count: number, total: number) {
  const last = Math.max(Math.ceil(total / perPage), 1)
  const before = [path, [...kept, 'page='].join('&')].join('?')
  const prev = page > 1 ? before + (page - 1) : null
  const next = page < last ? before + (page + 1) : null
  const from = count > 0 ? (page - 1) * perPage + 1 : null
  const pages: { url: string | null; label: string; active: boolean }[] = [{ url: prev, label: '&laquo; Previous', active: false }]
  for (const [first, end] of ranges(page, last)) {
    if (pages.length > 1) pages.push({ url: null, label: '...', active: false })
    for (let number = first; number <= end; number++) pages.push({ url: before + number, label: String(number), active: number === page })
  }
  pages.push({ url: next, label: 'Next &raquo;', active: false })
  return {
    links: { first: `${before}1`, last: before + last, prev, next },
    meta: {
      current_page: page,
      from,
      last_page: last,
      links: pages,
      path,
      per_page: perPage,
      to: from === null ? null : from + count - 1,
      total,
    },
  }
}

/** The runs of pages that are listed, with a gap between them (decisions §3). */
function ranges(page: number, last: number): [number, number][] {
  if (last < 14) return [[1, last]]
  if (page <= 7)
    return [
      [1, 10],
      [last - 1, last],
    ]
  if (page > last - 7)
    return [
      [1, 2],
      [last - 9, last],
    ]
  return [
    [1, 2],
    [page - 3, page + 3],
    [last - 1, last],
  ]
}
