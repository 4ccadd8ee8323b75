const tags = `a applet animate audio base bgsound blink body button comment embed form frame frameset handler i iframe image img import input
  isindex layer link listener math meta noscript object plaintext s script scripts section set source st style sub sup svg svgx t template textarea
  video vmlframe xm xml xmlx xmp xsl xslx xss`.split(/\s+/); // prettier-ignore
const attributes = `action attributename background by class content data dataformatas datasrc dynsrc filter folder formaction from handler href
  http-equiv icon id longdesc lowsrc manifest method name on onfo onfoo onload ontent ping poster profile rel src srcdoc srcset style target title to
  type usemap value values xlin xlink xlink:href xmln xmlns xmlns:xlink`.split(/\s+/); // prettier-ignore
const addresses = [
  "javascript:", "JaVa", "jav", "java\nscript:", "j\tavascript:", " javascript:", "\u0007java", "vbscript:", "vbs", "data:", "dat", "view-source:", "view",
  "&#106;avascript:", "&#0000000106ava", "&#x6A;ava", "&#x0006aava", "&#1114112;java", "&#16777216;java", "&#;java", "&#x;java", "java\0", "\xa0java", "href", "x",
]; // prettier-ignore
const placesOfTags = ["<*>", "<* ", "</*>", "<*/", "<*", "< *>", "<\0*>", "<!*>", "<!* ", "<?*?>", "<%*%>", "<!--*-->", "<!--*--!>", "<!--[*]>", "x<* y=z>", '"><*>']; // prettier-ignore
const placesOfAttributes = ["", "x ", '" ', "'", "` ", "x\n", "</x ", "<a ", "<a/", "<a b=c ", '<a b="c"', "<a b='c' ", "<a b=`c` ", "x=y "]; // prettier-ignore

/**
 * Values of every tag, attribute and address that matters to scripts, and of others beside them, where each may stand.
 */
export function* scriptValues(): Generator<string> {
  for (const tag of tags) {
    for (const place of placesOfTags) {
      yield place.replace("*", tag);
      yield place.replace("*", `${tag.slice(0, 1)}\0${tag.slice(1).toUpperCase()}`);
    }
  }
  for (const place of placesOfAttributes) {
    for (const attribute of attributes) {
      for (const rest of ["=x", "", " = x", '="x"', "\0=x", "==x", "/", ">"]) {
        yield place + attribute.toUpperCase() + rest;
        yield `${place}${attribute.slice(0, 1)}\0${attribute.slice(1)}${rest}`;
      }
      for (const address of addresses)
        for (const quote of ["", '"', "`"]) yield `${place}${attribute}=${quote}${address}${quote}>`;
    }
  }
}
