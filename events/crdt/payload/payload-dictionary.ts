/**
 * The deflate dictionary, which makes short texts and the names of the document schema small. The
 * payload format freezes it: one changed byte would make every compressed payload unreadable.
 */
export const payloadDictionary = new TextEncoder().encode(
  "http://www.https:// tableHeader tableCell tableRow table colspan rowspan colwidth " +
    "codeBlock language horizontalRule hardBreak " +
    "bulletList orderedList taskList taskItem checked blockquote listItem heading level " +
    "link href target rel underline strike code italic bold " +
    "document government question different important information because between another through without against " +
    "should would could people before after where while those these their there which about other first being under " +
    "every still never since often until again might great small large point place right " +
    "number example section version " +
    "ation tion ment ness able ible ance ence ing ly ed es er est ous ive ful less ity al " +
    " however, Therefore, For example, In this In the It is This is There are We have " +
    "You can The A An If When What How " +
    " does not is not cannot has been have been will be can be may be must be to be it " +
    "is that is there is in order to as well as " +
    " more than one of the some of the part of the such as so that and then and the to " +
    "the for the on the at the by the from the with the " +
    " you your they them then than into only over also back after use two how our work " +
    "well way even new want any day most us " +
    " be have it that not he as do at this but his by from she or will my one all out if " +
    "up so no go me when make can like time just him know take " +
    ' in of and the to a, . "paragraph" default {}null',
);
