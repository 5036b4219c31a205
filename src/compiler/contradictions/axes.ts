/** Something that can be done in one way only, and words for its ways. */
export interface Axis {
  readonly about: string
  readonly values: readonly (readonly [value: string, form: RegExp])[]
}

const word = (forms: string): RegExp => new RegExp(`\\b(?:${forms})\\b`)

export const axes: readonly Axis[] = [
  {
    about: 'format',
    values: [
      ['json', word('json')],
      ['yaml', word('yaml')],
      ['xml', word('xml')],
      ['csv', word('csv')],
      ['html', word('html')],
      ['markdown', word('markdown')],
      ['plain', word('plain text')],
    ],
  },
  {
    about: 'language',
    values: [
      ['english', word('in english|auf englisch')],
      ['german', word('in german|auf deutsch')],
      ['french', word('in french|auf französisch')],
      ['spanish', word('in spanish')],
      ['italian', word('in italian')],
      ['portuguese', word('in portuguese')],
      ['dutch', word('in dutch')],
      ['chinese', word('in chinese')],
      ['japanese', word('in japanese')],
    ],
  },
  {
    about: 'units',
    values: [
      ['metric', word('metric|si units')],
      ['imperial', word('imperial')],
    ],
  },
  {
    about: 'temperature',
    values: [
      ['celsius', word('celsius')],
      ['fahrenheit', word('fahrenheit')],
    ],
  },
  {
    about: 'clock',
    values: [
      ['24', word('24-hour|24 hours?')],
      ['12', word('12-hour|12 hours?')],
    ],
  },
  {
    about: 'tone',
    values: [
      ['formal', word('formal|formally')],
      ['casual', word('casual|informal|casually|informally|colloquial')],
    ],
  },
  {
    about: 'length',
    values: [
      ['short', word('brief|briefly|short|concise|concisely|terse')],
      ['long', word('detailed|in detail|long|verbose|thorough|exhaustive')],
    ],
  },
  {
    about: 'person',
    values: [
      ['first', word('first person')],
      ['second', word('second person')],
      ['third', word('third person')],
    ],
  },
  {
    about: 'spelling',
    values: [
      ['british', word('british (?:english|spelling)')],
      ['american', word('american (?:english|spelling)')],
    ],
  },
  {
    about: 'case',
    values: [
      ['lower', word('lower ?case')],
      ['upper', word('upper ?case|capitals')],
    ],
  },
  {
    about: 'indentation',
    values: [
      ['tabs', word('tabs')],
      ['spaces', word('spaces')],
    ],
  },
  {
    about: 'explanation',
    values: [
      ['shown', word('(?:your )?(?:reasoning|working|thoughts)')],
      ['hidden', word('without (?:any )?explanations?|with explanation|the (?:final )?answer')],
    ],
  },
  { about: 'emojis', values: [['emojis', word('emojis?|emoticons?')]] },
]
