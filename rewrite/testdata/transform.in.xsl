<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:include href="inc.xsl"/>
<xsl:template match="/"><a href="{@url}">x</a><img src="a.png"/><link rel="stylesheet" href="b.css"/><script src="c.js"/></xsl:template></xsl:stylesheet>
