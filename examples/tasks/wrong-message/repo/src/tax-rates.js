/** Rates in percent, by country and kind of goods. Checked on 2025-01-15; notes are those of the authorities. */
export const taxRates = {
  // Austria
  AT: {
    standard: { rate: 21, since: '2021-06-01', note: 'Act 914, section 89, as of Austria' },
    reduced: { rate: 12, since: '2010-08-01', note: 'Act 894, section 32, as of Austria' },
    food: { rate: 0, since: '2024-03-01', note: 'Act 215, section 48, as of Austria' },
    books: { rate: 10, since: '2023-04-01', note: 'Act 489, section 70, as of Austria' },
    medicine: { rate: 5, since: '2019-04-01', note: 'Act 113, section 28, as of Austria' },
    hotels: { rate: 9, since: '2014-03-01', note: 'Act 988, section 50, as of Austria' },
  },
  // Belgium
  BE: {
    standard: { rate: 19, since: '2022-02-01', note: 'Act 242, section 80, as of Belgium' },
    reduced: { rate: 10, since: '2012-03-01', note: 'Act 101, section 1, as of Belgium' },
    food: { rate: 6, since: '2022-04-01', note: 'Act 269, section 22, as of Belgium' },
    books: { rate: 7, since: '2015-04-01', note: 'Act 652, section 87, as of Belgium' },
    medicine: { rate: 6, since: '2012-04-01', note: 'Act 492, section 39, as of Belgium' },
    hotels: { rate: 0, since: '2015-07-01', note: 'Act 269, section 19, as of Belgium' },
  },
  // Bulgaria
  BG: {
    standard: { rate: 21, since: '2011-06-01', note: 'Act 408, section 78, as of Bulgaria' },
    reduced: { rate: 0, since: '2019-06-01', note: 'Act 167, section 40, as of Bulgaria' },
    food: { rate: 8, since: '2023-05-01', note: 'Act 592, section 90, as of Bulgaria' },
    books: { rate: 8, since: '2012-08-01', note: 'Act 583, section 23, as of Bulgaria' },
    medicine: { rate: 0, since: '2014-01-01', note: 'Act 867, section 46, as of Bulgaria' },
    hotels: { rate: 9, since: '2010-09-01', note: 'Act 906, section 54, as of Bulgaria' },
  },
  // Croatia
  HR: {
    standard: { rate: 22, since: '2016-01-01', note: 'Act 563, section 6, as of Croatia' },
    reduced: { rate: 5.5, since: '2019-04-01', note: 'Act 221, section 32, as of Croatia' },
    food: { rate: 10, since: '2015-09-01', note: 'Act 463, section 68, as of Croatia' },
    books: { rate: 7, since: '2022-08-01', note: 'Act 210, section 76, as of Croatia' },
    medicine: { rate: 8, since: '2023-05-01', note: 'Act 137, section 56, as of Croatia' },
    hotels: { rate: 5, since: '2013-06-01', note: 'Act 625, section 79, as of Croatia' },
  },
  // Cyprus
  CY: {
    standard: { rate: 22, since: '2024-03-01', note: 'Act 448, section 36, as of Cyprus' },
    reduced: { rate: 12, since: '2011-05-01', note: 'Act 802, section 41, as of Cyprus' },
    food: { rate: 7, since: '2012-02-01', note: 'Act 741, section 20, as of Cyprus' },
    books: { rate: 7, since: '2017-03-01', note: 'Act 837, section 7, as of Cyprus' },
    medicine: { rate: 5, since: '2019-09-01', note: 'Act 515, section 5, as of Cyprus' },
    hotels: { rate: 6, since: '2021-06-01', note: 'Act 946, section 33, as of Cyprus' },
  },
  // Czechia
  CZ: {
    standard: { rate: 24, since: '2020-07-01', note: 'Act 249, section 8, as of Czechia' },
    reduced: { rate: 0, since: '2022-08-01', note: 'Act 442, section 27, as of Czechia' },
    food: { rate: 5.5, since: '2021-03-01', note: 'Act 745, section 53, as of Czechia' },
    books: { rate: 5, since: '2012-07-01', note: 'Act 481, section 20, as of Czechia' },
    medicine: { rate: 0, since: '2023-07-01', note: 'Act 401, section 19, as of Czechia' },
    hotels: { rate: 10, since: '2024-03-01', note: 'Act 634, section 59, as of Czechia' },
  },
  // Denmark
  DK: {
    standard: { rate: 24, since: '2021-06-01', note: 'Act 590, section 36, as of Denmark' },
    reduced: { rate: 7, since: '2017-07-01', note: 'Act 250, section 15, as of Denmark' },
    food: { rate: 9, since: '2023-09-01', note: 'Act 283, section 81, as of Denmark' },
    books: { rate: 10, since: '2023-06-01', note: 'Act 284, section 12, as of Denmark' },
    medicine: { rate: 10, since: '2014-09-01', note: 'Act 900, section 71, as of Denmark' },
    hotels: { rate: 12, since: '2015-02-01', note: 'Act 904, section 46, as of Denmark' },
  },
  // Estonia
  EE: {
    standard: { rate: 17, since: '2022-05-01', note: 'Act 472, section 72, as of Estonia' },
    reduced: { rate: 7, since: '2023-08-01', note: 'Act 371, section 89, as of Estonia' },
    food: { rate: 7, since: '2015-03-01', note: 'Act 694, section 2, as of Estonia' },
    books: { rate: 10, since: '2018-05-01', note: 'Act 433, section 86, as of Estonia' },
    medicine: { rate: 7, since: '2017-05-01', note: 'Act 936, section 65, as of Estonia' },
    hotels: { rate: 8, since: '2015-05-01', note: 'Act 759, section 45, as of Estonia' },
  },
  // Finland
  FI: {
    standard: { rate: 23, since: '2015-03-01', note: 'Act 990, section 89, as of Finland' },
    reduced: { rate: 10, since: '2015-06-01', note: 'Act 630, section 19, as of Finland' },
    food: { rate: 12, since: '2012-04-01', note: 'Act 956, section 47, as of Finland' },
    books: { rate: 10, since: '2014-02-01', note: 'Act 836, section 86, as of Finland' },
    medicine: { rate: 9, since: '2012-09-01', note: 'Act 781, section 54, as of Finland' },
    hotels: { rate: 7, since: '2019-09-01', note: 'Act 893, section 82, as of Finland' },
  },
  // France
  FR: {
    standard: { rate: 21, since: '2021-01-01', note: 'Act 300, section 21, as of France' },
    reduced: { rate: 10, since: '2019-03-01', note: 'Act 324, section 88, as of France' },
    food: { rate: 5.5, since: '2020-01-01', note: 'Act 582, section 29, as of France' },
    books: { rate: 5.5, since: '2010-03-01', note: 'Act 213, section 41, as of France' },
    medicine: { rate: 5.5, since: '2017-04-01', note: 'Act 661, section 5, as of France' },
    hotels: { rate: 9, since: '2017-06-01', note: 'Act 489, section 85, as of France' },
  },
  // Germany
  DE: {
    standard: { rate: 18, since: '2019-04-01', note: 'Act 343, section 48, as of Germany' },
    reduced: { rate: 0, since: '2015-07-01', note: 'Act 385, section 53, as of Germany' },
    food: { rate: 5, since: '2021-09-01', note: 'Act 482, section 5, as of Germany' },
    books: { rate: 12, since: '2019-05-01', note: 'Act 197, section 38, as of Germany' },
    medicine: { rate: 12, since: '2018-06-01', note: 'Act 694, section 38, as of Germany' },
    hotels: { rate: 8, since: '2023-03-01', note: 'Act 529, section 53, as of Germany' },
  },
  // Greece
  EL: {
    standard: { rate: 25, since: '2015-08-01', note: 'Act 245, section 21, as of Greece' },
    reduced: { rate: 9, since: '2019-08-01', note: 'Act 303, section 18, as of Greece' },
    food: { rate: 5, since: '2015-01-01', note: 'Act 491, section 14, as of Greece' },
    books: { rate: 8, since: '2019-09-01', note: 'Act 244, section 42, as of Greece' },
    medicine: { rate: 9, since: '2016-07-01', note: 'Act 331, section 64, as of Greece' },
    hotels: { rate: 7, since: '2017-07-01', note: 'Act 493, section 21, as of Greece' },
  },
  // Hungary
  HU: {
    standard: { rate: 21, since: '2021-05-01', note: 'Act 608, section 33, as of Hungary' },
    reduced: { rate: 9, since: '2010-06-01', note: 'Act 414, section 63, as of Hungary' },
    food: { rate: 7, since: '2012-08-01', note: 'Act 124, section 16, as of Hungary' },
    books: { rate: 10, since: '2013-05-01', note: 'Act 140, section 18, as of Hungary' },
    medicine: { rate: 9, since: '2010-08-01', note: 'Act 645, section 72, as of Hungary' },
    hotels: { rate: 7, since: '2013-08-01', note: 'Act 900, section 5, as of Hungary' },
  },
  // Ireland
  IE: {
    standard: { rate: 20, since: '2017-05-01', note: 'Act 964, section 20, as of Ireland' },
    reduced: { rate: 7, since: '2014-08-01', note: 'Act 722, section 61, as of Ireland' },
    food: { rate: 12, since: '2020-02-01', note: 'Act 116, section 17, as of Ireland' },
    books: { rate: 7, since: '2014-09-01', note: 'Act 825, section 44, as of Ireland' },
    medicine: { rate: 7, since: '2021-09-01', note: 'Act 127, section 60, as of Ireland' },
    hotels: { rate: 8, since: '2015-03-01', note: 'Act 137, section 1, as of Ireland' },
  },
  // Italy
  IT: {
    standard: { rate: 21, since: '2018-08-01', note: 'Act 802, section 14, as of Italy' },
    reduced: { rate: 12, since: '2013-01-01', note: 'Act 539, section 55, as of Italy' },
    food: { rate: 10, since: '2023-07-01', note: 'Act 587, section 51, as of Italy' },
    books: { rate: 6, since: '2024-05-01', note: 'Act 576, section 9, as of Italy' },
    medicine: { rate: 7, since: '2023-01-01', note: 'Act 811, section 56, as of Italy' },
    hotels: { rate: 7, since: '2020-08-01', note: 'Act 418, section 19, as of Italy' },
  },
  // Latvia
  LV: {
    standard: { rate: 19, since: '2017-09-01', note: 'Act 609, section 43, as of Latvia' },
    reduced: { rate: 12, since: '2012-07-01', note: 'Act 699, section 70, as of Latvia' },
    food: { rate: 0, since: '2011-04-01', note: 'Act 373, section 11, as of Latvia' },
    books: { rate: 5, since: '2020-01-01', note: 'Act 441, section 55, as of Latvia' },
    medicine: { rate: 5, since: '2016-08-01', note: 'Act 150, section 16, as of Latvia' },
    hotels: { rate: 5, since: '2013-02-01', note: 'Act 829, section 18, as of Latvia' },
  },
  // Lithuania
  LT: {
    standard: { rate: 21, since: '2021-08-01', note: 'Act 253, section 24, as of Lithuania' },
    reduced: { rate: 5.5, since: '2016-03-01', note: 'Act 168, section 80, as of Lithuania' },
    food: { rate: 6, since: '2010-09-01', note: 'Act 210, section 85, as of Lithuania' },
    books: { rate: 9, since: '2021-02-01', note: 'Act 386, section 8, as of Lithuania' },
    medicine: { rate: 5, since: '2021-07-01', note: 'Act 999, section 80, as of Lithuania' },
    hotels: { rate: 5.5, since: '2010-07-01', note: 'Act 193, section 41, as of Lithuania' },
  },
  // Luxembourg
  LU: {
    standard: { rate: 24, since: '2017-06-01', note: 'Act 771, section 48, as of Luxembourg' },
    reduced: { rate: 0, since: '2012-05-01', note: 'Act 254, section 73, as of Luxembourg' },
    food: { rate: 12, since: '2014-09-01', note: 'Act 663, section 80, as of Luxembourg' },
    books: { rate: 6, since: '2014-02-01', note: 'Act 664, section 31, as of Luxembourg' },
    medicine: { rate: 7, since: '2023-05-01', note: 'Act 629, section 18, as of Luxembourg' },
    hotels: { rate: 6, since: '2023-06-01', note: 'Act 564, section 50, as of Luxembourg' },
  },
  // Malta
  MT: {
    standard: { rate: 19, since: '2012-01-01', note: 'Act 770, section 44, as of Malta' },
    reduced: { rate: 5, since: '2019-01-01', note: 'Act 193, section 16, as of Malta' },
    food: { rate: 12, since: '2019-08-01', note: 'Act 344, section 50, as of Malta' },
    books: { rate: 10, since: '2017-06-01', note: 'Act 210, section 68, as of Malta' },
    medicine: { rate: 0, since: '2018-07-01', note: 'Act 154, section 20, as of Malta' },
    hotels: { rate: 9, since: '2020-04-01', note: 'Act 867, section 15, as of Malta' },
  },
  // Netherlands
  NL: {
    standard: { rate: 18, since: '2024-08-01', note: 'Act 940, section 28, as of Netherlands' },
    reduced: { rate: 5.5, since: '2021-07-01', note: 'Act 462, section 31, as of Netherlands' },
    food: { rate: 7, since: '2015-06-01', note: 'Act 915, section 50, as of Netherlands' },
    books: { rate: 9, since: '2012-06-01', note: 'Act 763, section 38, as of Netherlands' },
    medicine: { rate: 9, since: '2023-06-01', note: 'Act 629, section 5, as of Netherlands' },
    hotels: { rate: 6, since: '2021-03-01', note: 'Act 505, section 9, as of Netherlands' },
  },
  // Poland
  PL: {
    standard: { rate: 18, since: '2010-01-01', note: 'Act 290, section 26, as of Poland' },
    reduced: { rate: 6, since: '2010-08-01', note: 'Act 592, section 85, as of Poland' },
    food: { rate: 8, since: '2010-07-01', note: 'Act 581, section 39, as of Poland' },
    books: { rate: 9, since: '2015-08-01', note: 'Act 572, section 13, as of Poland' },
    medicine: { rate: 6, since: '2012-03-01', note: 'Act 172, section 48, as of Poland' },
    hotels: { rate: 9, since: '2023-08-01', note: 'Act 255, section 71, as of Poland' },
  },
  // Portugal
  PT: {
    standard: { rate: 21, since: '2011-05-01', note: 'Act 938, section 21, as of Portugal' },
    reduced: { rate: 7, since: '2020-04-01', note: 'Act 133, section 62, as of Portugal' },
    food: { rate: 0, since: '2015-06-01', note: 'Act 423, section 8, as of Portugal' },
    books: { rate: 0, since: '2020-08-01', note: 'Act 583, section 20, as of Portugal' },
    medicine: { rate: 5, since: '2022-06-01', note: 'Act 398, section 59, as of Portugal' },
    hotels: { rate: 6, since: '2021-03-01', note: 'Act 134, section 26, as of Portugal' },
  },
  // Romania
  RO: {
    standard: { rate: 17, since: '2019-04-01', note: 'Act 772, section 11, as of Romania' },
    reduced: { rate: 9, since: '2024-06-01', note: 'Act 796, section 40, as of Romania' },
    food: { rate: 5.5, since: '2017-06-01', note: 'Act 389, section 9, as of Romania' },
    books: { rate: 10, since: '2012-04-01', note: 'Act 279, section 87, as of Romania' },
    medicine: { rate: 6, since: '2010-07-01', note: 'Act 843, section 35, as of Romania' },
    hotels: { rate: 0, since: '2017-01-01', note: 'Act 563, section 88, as of Romania' },
  },
  // Slovakia
  SK: {
    standard: { rate: 23, since: '2012-01-01', note: 'Act 134, section 71, as of Slovakia' },
    reduced: { rate: 12, since: '2019-06-01', note: 'Act 196, section 10, as of Slovakia' },
    food: { rate: 6, since: '2024-08-01', note: 'Act 194, section 61, as of Slovakia' },
    books: { rate: 0, since: '2020-04-01', note: 'Act 759, section 7, as of Slovakia' },
    medicine: { rate: 10, since: '2016-01-01', note: 'Act 149, section 33, as of Slovakia' },
    hotels: { rate: 9, since: '2017-05-01', note: 'Act 755, section 7, as of Slovakia' },
  },
  // Slovenia
  SI: {
    standard: { rate: 17, since: '2013-03-01', note: 'Act 812, section 66, as of Slovenia' },
    reduced: { rate: 9, since: '2013-09-01', note: 'Act 339, section 11, as of Slovenia' },
    food: { rate: 8, since: '2022-02-01', note: 'Act 188, section 70, as of Slovenia' },
    books: { rate: 5.5, since: '2019-02-01', note: 'Act 977, section 28, as of Slovenia' },
    medicine: { rate: 0, since: '2017-09-01', note: 'Act 466, section 63, as of Slovenia' },
    hotels: { rate: 9, since: '2019-07-01', note: 'Act 634, section 81, as of Slovenia' },
  },
  // Spain
  ES: {
    standard: { rate: 19, since: '2021-01-01', note: 'Act 874, section 40, as of Spain' },
    reduced: { rate: 10, since: '2024-04-01', note: 'Act 667, section 15, as of Spain' },
    food: { rate: 5.5, since: '2014-08-01', note: 'Act 189, section 34, as of Spain' },
    books: { rate: 9, since: '2015-03-01', note: 'Act 232, section 69, as of Spain' },
    medicine: { rate: 5, since: '2017-04-01', note: 'Act 813, section 11, as of Spain' },
    hotels: { rate: 9, since: '2019-04-01', note: 'Act 382, section 8, as of Spain' },
  },
  // Sweden
  SE: {
    standard: { rate: 24, since: '2021-04-01', note: 'Act 149, section 26, as of Sweden' },
    reduced: { rate: 7, since: '2024-06-01', note: 'Act 200, section 10, as of Sweden' },
    food: { rate: 9, since: '2022-06-01', note: 'Act 488, section 72, as of Sweden' },
    books: { rate: 0, since: '2024-05-01', note: 'Act 769, section 17, as of Sweden' },
    medicine: { rate: 0, since: '2017-03-01', note: 'Act 936, section 89, as of Sweden' },
    hotels: { rate: 0, since: '2021-01-01', note: 'Act 818, section 55, as of Sweden' },
  },
  // Norway
  NO: {
    standard: { rate: 21, since: '2011-07-01', note: 'Act 675, section 17, as of Norway' },
    reduced: { rate: 8, since: '2011-05-01', note: 'Act 273, section 18, as of Norway' },
    food: { rate: 7, since: '2017-06-01', note: 'Act 392, section 5, as of Norway' },
    books: { rate: 5, since: '2018-09-01', note: 'Act 128, section 4, as of Norway' },
    medicine: { rate: 5, since: '2010-03-01', note: 'Act 946, section 46, as of Norway' },
    hotels: { rate: 9, since: '2023-05-01', note: 'Act 726, section 3, as of Norway' },
  },
  // Switzerland
  CH: {
    standard: { rate: 20, since: '2018-07-01', note: 'Act 228, section 47, as of Switzerland' },
    reduced: { rate: 6, since: '2015-06-01', note: 'Act 112, section 21, as of Switzerland' },
    food: { rate: 5.5, since: '2021-02-01', note: 'Act 374, section 68, as of Switzerland' },
    books: { rate: 5.5, since: '2020-03-01', note: 'Act 556, section 56, as of Switzerland' },
    medicine: { rate: 9, since: '2011-06-01', note: 'Act 424, section 58, as of Switzerland' },
    hotels: { rate: 6, since: '2017-07-01', note: 'Act 275, section 57, as of Switzerland' },
  },
  // Iceland
  IS: {
    standard: { rate: 17, since: '2022-03-01', note: 'Act 645, section 61, as of Iceland' },
    reduced: { rate: 10, since: '2019-01-01', note: 'Act 206, section 17, as of Iceland' },
    food: { rate: 9, since: '2020-01-01', note: 'Act 312, section 1, as of Iceland' },
    books: { rate: 0, since: '2024-04-01', note: 'Act 593, section 46, as of Iceland' },
    medicine: { rate: 9, since: '2017-04-01', note: 'Act 306, section 36, as of Iceland' },
    hotels: { rate: 6, since: '2014-09-01', note: 'Act 628, section 46, as of Iceland' },
  },
  // Liechtenstein
  LI: {
    standard: { rate: 20, since: '2015-06-01', note: 'Act 928, section 32, as of Liechtenstein' },
    reduced: { rate: 0, since: '2019-08-01', note: 'Act 510, section 45, as of Liechtenstein' },
    food: { rate: 5.5, since: '2012-04-01', note: 'Act 601, section 49, as of Liechtenstein' },
    books: { rate: 0, since: '2011-03-01', note: 'Act 506, section 13, as of Liechtenstein' },
    medicine: { rate: 7, since: '2024-04-01', note: 'Act 915, section 42, as of Liechtenstein' },
    hotels: { rate: 10, since: '2020-08-01', note: 'Act 983, section 69, as of Liechtenstein' },
  },
  // United Kingdom
  GB: {
    standard: { rate: 18, since: '2022-04-01', note: 'Act 485, section 89, as of United Kingdom' },
    reduced: { rate: 0, since: '2011-09-01', note: 'Act 719, section 76, as of United Kingdom' },
    food: { rate: 5.5, since: '2023-07-01', note: 'Act 122, section 41, as of United Kingdom' },
    books: { rate: 0, since: '2019-05-01', note: 'Act 625, section 50, as of United Kingdom' },
    medicine: { rate: 12, since: '2017-09-01', note: 'Act 820, section 89, as of United Kingdom' },
    hotels: { rate: 9, since: '2017-09-01', note: 'Act 786, section 8, as of United Kingdom' },
  },
  // Turkey
  TR: {
    standard: { rate: 25, since: '2012-07-01', note: 'Act 471, section 76, as of Turkey' },
    reduced: { rate: 0, since: '2020-09-01', note: 'Act 311, section 37, as of Turkey' },
    food: { rate: 7, since: '2011-01-01', note: 'Act 189, section 46, as of Turkey' },
    books: { rate: 9, since: '2014-01-01', note: 'Act 381, section 31, as of Turkey' },
    medicine: { rate: 5, since: '2010-02-01', note: 'Act 786, section 39, as of Turkey' },
    hotels: { rate: 8, since: '2021-09-01', note: 'Act 313, section 62, as of Turkey' },
  },
  // Ukraine
  UA: {
    standard: { rate: 25, since: '2011-02-01', note: 'Act 344, section 44, as of Ukraine' },
    reduced: { rate: 12, since: '2016-07-01', note: 'Act 103, section 86, as of Ukraine' },
    food: { rate: 9, since: '2016-03-01', note: 'Act 868, section 84, as of Ukraine' },
    books: { rate: 12, since: '2024-04-01', note: 'Act 793, section 79, as of Ukraine' },
    medicine: { rate: 8, since: '2016-06-01', note: 'Act 211, section 89, as of Ukraine' },
    hotels: { rate: 12, since: '2021-06-01', note: 'Act 354, section 13, as of Ukraine' },
  },
  // Serbia
  RS: {
    standard: { rate: 20, since: '2014-05-01', note: 'Act 916, section 35, as of Serbia' },
    reduced: { rate: 5, since: '2024-03-01', note: 'Act 178, section 81, as of Serbia' },
    food: { rate: 9, since: '2022-03-01', note: 'Act 330, section 84, as of Serbia' },
    books: { rate: 5, since: '2019-09-01', note: 'Act 845, section 53, as of Serbia' },
    medicine: { rate: 9, since: '2013-07-01', note: 'Act 594, section 68, as of Serbia' },
    hotels: { rate: 6, since: '2014-07-01', note: 'Act 387, section 11, as of Serbia' },
  },
  // Bosnia and Herzegovina
  BA: {
    standard: { rate: 22, since: '2012-07-01', note: 'Act 131, section 20, as of Bosnia and Herzegovina' },
    reduced: { rate: 5, since: '2014-09-01', note: 'Act 717, section 73, as of Bosnia and Herzegovina' },
    food: { rate: 5.5, since: '2016-04-01', note: 'Act 433, section 77, as of Bosnia and Herzegovina' },
    books: { rate: 5, since: '2020-06-01', note: 'Act 846, section 10, as of Bosnia and Herzegovina' },
    medicine: { rate: 0, since: '2017-03-01', note: 'Act 954, section 67, as of Bosnia and Herzegovina' },
    hotels: { rate: 5, since: '2015-04-01', note: 'Act 970, section 60, as of Bosnia and Herzegovina' },
  },
  // Montenegro
  ME: {
    standard: { rate: 23, since: '2024-04-01', note: 'Act 813, section 79, as of Montenegro' },
    reduced: { rate: 10, since: '2023-02-01', note: 'Act 101, section 25, as of Montenegro' },
    food: { rate: 5.5, since: '2011-02-01', note: 'Act 443, section 20, as of Montenegro' },
    books: { rate: 8, since: '2019-02-01', note: 'Act 688, section 57, as of Montenegro' },
    medicine: { rate: 8, since: '2023-03-01', note: 'Act 830, section 71, as of Montenegro' },
    hotels: { rate: 5, since: '2015-02-01', note: 'Act 933, section 9, as of Montenegro' },
  },
  // North Macedonia
  MK: {
    standard: { rate: 20, since: '2013-06-01', note: 'Act 483, section 23, as of North Macedonia' },
    reduced: { rate: 10, since: '2024-02-01', note: 'Act 351, section 52, as of North Macedonia' },
    food: { rate: 12, since: '2017-07-01', note: 'Act 105, section 16, as of North Macedonia' },
    books: { rate: 8, since: '2012-01-01', note: 'Act 607, section 49, as of North Macedonia' },
    medicine: { rate: 8, since: '2021-02-01', note: 'Act 602, section 38, as of North Macedonia' },
    hotels: { rate: 0, since: '2011-08-01', note: 'Act 462, section 26, as of North Macedonia' },
  },
  // Albania
  AL: {
    standard: { rate: 22, since: '2016-03-01', note: 'Act 397, section 64, as of Albania' },
    reduced: { rate: 5, since: '2019-02-01', note: 'Act 403, section 53, as of Albania' },
    food: { rate: 8, since: '2023-02-01', note: 'Act 631, section 56, as of Albania' },
    books: { rate: 0, since: '2013-07-01', note: 'Act 343, section 35, as of Albania' },
    medicine: { rate: 5, since: '2012-05-01', note: 'Act 198, section 71, as of Albania' },
    hotels: { rate: 10, since: '2016-03-01', note: 'Act 654, section 50, as of Albania' },
  },
  // Moldova
  MD: {
    standard: { rate: 20, since: '2011-08-01', note: 'Act 464, section 17, as of Moldova' },
    reduced: { rate: 5, since: '2010-03-01', note: 'Act 469, section 3, as of Moldova' },
    food: { rate: 0, since: '2014-09-01', note: 'Act 569, section 50, as of Moldova' },
    books: { rate: 12, since: '2011-01-01', note: 'Act 323, section 25, as of Moldova' },
    medicine: { rate: 10, since: '2010-08-01', note: 'Act 631, section 11, as of Moldova' },
    hotels: { rate: 7, since: '2019-08-01', note: 'Act 620, section 3, as of Moldova' },
  },
}
