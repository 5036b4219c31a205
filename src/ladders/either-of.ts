/** One look for any of some forms, rather than one for each; forms of unlike flags need one of their own. */
export function eitherOf(forms: readonly RegExp[]): readonly RegExp[] {
  return [...new Set(forms.map(({ flags }) => flags))].map((flags) => {
    const alike = forms.filter((form) => form.flags === flags)
    return new RegExp(alike.map(({ source }) => source).join('|'), flags)
  })
}
